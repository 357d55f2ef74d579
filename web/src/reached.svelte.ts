/** Whether a moment of the server's time has come, for what appears from then on. */
import { now } from "./server.ts";

const LOOK_AGAIN = 1_000; // ms at most: the server may say meanwhile that it is later than this page thought

/** Follows `at`; a moment that is null never comes. */
export function reached(at: () => number | null): { readonly isSo: boolean } {
  let isSo = $state(false);
  $effect.pre(() => {
    const moment = at();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      const left = moment === null ? Infinity : moment - now();
      isSo = left <= 0;
      if (left > 0 && moment !== null) timer = setTimeout(look, Math.min(left * 1000, LOOK_AGAIN));
    };
    look();
    return () => clearTimeout(timer);
  });
  return {
    get isSo() {
      return isSo;
    },
  };
}
