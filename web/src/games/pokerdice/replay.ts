import type { LookBack } from "../contract.ts";
import { BEGINNING, CHOOSING, OVER, RETHROWING, THROWING } from "./constants.ts";

/** Pokerdice, looked back at: the throw, the cards, and what is thrown again. */
export default {
  stages: { [BEGINNING]: 0, [THROWING]: 0, [CHOOSING]: 1, [RETHROWING]: 2, [OVER]: 2 },
  meant: ([key, values], state) => {
    if (key !== "rethrow") return null;
    const { dice } = state as { dice: number[] };
    const faces = String(values["dice"]).split(" ").map((place) => dice[Number(place) - 1] ?? 0);
    return { values: { dice: "" }, pieces: faces.map((face) => ({ piece: `pip-${face}` })), words: faces.join(", ") };
  },
  drawn: ([verb, ...dice]) => (verb === "roll" ? dice.map((face) => ({ piece: `pip-${face}` })) : []),
} satisfies LookBack;
