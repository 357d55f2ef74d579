// Made by `python -m docs.protocol` (`make docs`) from the server's own definitions. Do not edit.
/** What the rules of POK go by, under their own names. */
export const CHANCE = -1;
export const NOBODY = 0;
export const NOTHING = -1;
export const DISC = 0;
export const SQUARE = 1;
export const TRIANGLE = 2;
export const BLANK = 3;
export const SYMBOLS = 3;
export const DICE = 3;
export const FACES = 6;
export const ON_ONES = 2;
export const TWOS_BLANKS = 3;
export const THREES_BLANKS = 3;
export const EACH = 2;
export const GOAL = 5;
export const THROWING = 0;
export const CHOOSING = 1;
export const OVER = 2;
export const ENDINGS = ["on", "five", "dead", "stopped"] as const;
export const FIVE = 1;
export const DEAD_POSITION = 2;
export const ROUNDS_OUT = 3;
