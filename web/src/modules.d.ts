declare module "*.toml" {
  const catalogue: import("./texts.svelte.ts").Table;
  export default catalogue;
}
declare module "*.toml?rules" {
  const rules: Record<string, string> & { alone: import("./texts.svelte.ts").Table };
  export default rules;
}
declare module "virtual:pieces" {
  /** The view box of every symbol of pieces.svg. */
  const boxes: Record<string, string>;
  export default boxes;
}
declare module "virtual:python" {
  /** Where Python and the sources of the package lie, from the folder of the page. */
  export const RUNTIME: string;
  export const SOURCES: string;
}
