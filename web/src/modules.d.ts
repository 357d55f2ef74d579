declare module "*.toml" {
  const catalogue: import("./texts.svelte.ts").Table;
  export default catalogue;
}
declare module "*.toml?rules" {
  const rules: Record<string, string>;
  export default rules;
}
declare module "virtual:pieces" {
  /** The view box of every symbol of pieces.svg. */
  const boxes: Record<string, string>;
  export default boxes;
}
