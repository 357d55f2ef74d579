/** The choices and the question of a view, in words. */
import type { ViewShown } from "../protocol.ts";
import { text } from "../texts.svelte.ts";
import type { Choice } from "./contract.ts";

/** What a seat may choose now, each with its own words. */
export function choicesOf(game: string, view: ViewShown): Choice[] {
  return view.choices.map((value, at) => {
    const [key, values] = view.choice_texts[at] as [string, Choice["values"]];
    return { value, label: text(`${game}.choice.${key}`, values), key, values };
  });
}

/** What is asked now; empty if nothing is. A single choice is no question, and one tap takes it. Where several people look at the screen it names the player asked, `who`. */
export function questionOf(game: string, view: ViewShown, who = ""): string {
  if (view.question === null) return "";
  const [key, values] = view.question;
  if (view.choices.length === 1) return who ? text("web.seal.only_of", { name: who }) : text("web.seal.only");
  return who ? text(`${game}.asked.${key}`, { ...values, who }) : text(`${game}.prompt.${key}`, values);
}
