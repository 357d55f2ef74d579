/**
 * The slots of texts, as src/pokade/texts/__init__.py defines them: `{what}` is the value, `{what@suit}` the word that the
 * list `suit` of the text's own table has at that number, `{who:shows|show}` the first form for one, the second for many.
 * Forms are settled first and values put in last, in one pass, so a name may be any string, braces included.
 */
export type Entry = string | number | boolean | Entry[] | Table;
export interface Table {
  [key: string]: Entry;
}

/** A value of a text: how people write it, and the number that chooses its form and its word. */
export interface Shown {
  words: string;
  number: number;
}

const MANY_NAMES = 4; // from so many people on a sentence says their number instead of their names
const PART = "(?:[^|{}]|\\{[^{}]*\\})*";
const FORMS = new RegExp(`\\{(\\w+):(${PART})\\|(${PART})\\}`, "g");
const SLOT = /\{(\w+)(?:@(\w+))?\}/g;
const WHO_FIRST = /(^|[.!?]\s+)([¡¿]*)\{who\}/g; // at the beginning of a sentence
const SOUNDS_LIKE_I = /^h?[iíy](?![aeou])/iu;

/** As a reader: no seat of this screen is "you". */
export const NOBODY = -1;

/** What stands under a dotted key; under the empty one the whole catalogue. */
export function lookUp(catalogue: Table, key: string, isNeeded = true): Entry {
  let found: Entry | undefined = catalogue;
  for (const part of key === "" ? [] : key.split(".")) {
    found = (found as Table | undefined)?.[part];
  }
  if (found === undefined && isNeeded) throw new Error(`there is no text ${key}`);
  return found as Entry;
}

/** Put values into a template; the lists it names are those of the table. */
export function fill(catalogue: Table, table: string, template: string, values: Record<string, Shown>): string {
  if (!template.includes("{")) return template; // most of them, and there are many in a reveal
  const one = lookUp(catalogue, "language.one") as number[];
  const value = (name: string): Shown => {
    const shown = values[name];
    if (shown === undefined) throw new Error(`"${template}" needs ${name}`);
    return shown;
  };
  return template
    .replace(FORMS, (_, name: string, first: string, second: string) =>
      one.includes(value(name).number) ? first : second,
    )
    .replace(SLOT, (_, name: string, list: string | undefined) =>
      list === undefined ? value(name).words : wordAt(catalogue, `${table}.${list}`, value(name).number),
    );
}

function wordAt(catalogue: Table, key: string, number: number): string {
  return String((lookUp(catalogue, key) as string[])[number]);
}

/** A whole number, with a real minus sign. */
export function numberShown(number: number): Shown {
  return { words: String(number).replace("-", "−"), number: Math.abs(number) };
}

/** Names in a row, or their number where they are many. */
export function people(catalogue: Table, names: readonly string[]): string {
  if (names.length >= MANY_NAMES) return list(catalogue, "people", { count: numberShown(names.length) });
  if (names.length < 2) return names.join("");
  // Spanish says "e" instead of "y" before the sound of i: Ada e Inés, but Ada y Ian.
  const last = names[names.length - 1] as string;
  const first = names.slice(0, -1).join(", ");
  const joint = SOUNDS_LIKE_I.test(last) ? "and_i" : "and";
  return list(catalogue, joint, { first: { words: first, number: 1 }, last: { words: last, number: 1 } });
}

function list(catalogue: Table, key: string, values: Record<string, Shown>): string {
  return fill(catalogue, "list", String(lookUp(catalogue, `list.${key}`)), values);
}

/** Seats by name in a row; the reader comes first, as "you". `others` are those beside the reader. */
export function seatsShown(catalogue: Table, seats: readonly number[], names: readonly string[], you: number): { who: Shown; others: Shown } {
  const rest = seats.filter((seat) => seat !== you).map((seat) => names[seat] ?? "");
  const isAmong = seats.includes(you);
  const isMany = isAmong && seats.length >= MANY_NAMES;
  const others = isMany ? list(catalogue, "others", { count: numberShown(rest.length) }) : people(catalogue, rest);
  const row = isAmong ? people(catalogue, [youWord(catalogue), ...(isMany ? [others] : rest)]) : others;
  return { who: { words: row, number: seats.length }, others: { words: others, number: rest.length } };
}

/** "you", as it stands among others. */
export function youWord(catalogue: Table): string {
  return String(lookUp(catalogue, "list.you"));
}

/** Fill in a text that calls its reader and others `{who}`: with a capital where a sentence begins with them. */
export function fillWe(catalogue: Table, table: string, template: string, values: Record<string, Shown>): string {
  const { words, number } = values["who"] as Shown;
  const first = { words: words.charAt(0).toLocaleUpperCase() + words.slice(1), number };
  return fill(catalogue, table, template.replace(WHO_FIRST, "$1$2{Who}"), { ...values, Who: first });
}

/** A number of an event, as people write it; `kind` says what it counts. */
export function eventValue(catalogue: Table, game: string, kind: string, number: number, names: readonly string[], you: number): Shown {
  switch (kind) {
    case "seat":
      return { words: names[number] ?? "", number: 1 };
    case "seats":
      return seatsShown(catalogue, seatsIn(number, names.length), names, you).who;
    case "number":
      return numberShown(number);
    case "digits":
      return { words: [...String(number)].join(" "), number };
    default:
      return { words: wordAt(catalogue, `${game}.${kind}`, number), number };
  }
}

function seatsIn(set: number, seats: number): number[] {
  return Array.from({ length: seats }, (_, seat) => seat).filter((seat) => (set >> seat) & 1);
}

type Told = readonly [string, number, number, number];
type Kinds = readonly [string, string, string];

/** One event, told with people's names, and as theirs to the person in the seat `you`; `kinds` are those of its `who`, `what` and `more`. */
export function eventSentence(catalogue: Table, game: string, told: Told, kinds: Kinds, names: readonly string[], you = NOBODY): string {
  const [event, ...numbers] = told;
  const values: Record<string, Shown> = {};
  (["who", "what", "more"] as const).forEach((slot, at) => {
    const kind = kinds[at];
    if (kind) values[slot] = eventValue(catalogue, game, kind, numbers[at] as number, names, you);
  });
  const table = eventTable(told, kinds, you);
  const template = lookUp(catalogue, `${game}.${table}.${event}`, false) ?? lookUp(catalogue, `${game}.event.${event}`);
  const fills = table === "event_we" ? fillWe : fill;
  return fills(catalogue, game, String(template), values);
}

/** The table that has an event's words for a reader. */
function eventTable([, who, , more]: Told, [whoKind, , moreKind]: Kinds, you: number): string {
  if (you === NOBODY) return "event";
  if ((whoKind === "seat" && who === you) || (whoKind === "seats" && who === 1 << you)) return "event_you";
  if (whoKind === "seats" && (who >> you) & 1) return "event_we";
  return moreKind === "seat" && more === you ? "event_yours" : "event";
}
