/** The screen stays on while a game is on, where the browser allows it: only in a secure context. */

/** Keep it on until the answer is called. The browser lets go in the background, so it is asked again after. */
export function awake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let isOver = false;
  async function ask(): Promise<void> {
    if (isOver || document.hidden || !("wakeLock" in navigator)) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      if (isOver) void lock.release();
    } catch {
      // Refused, as on a battery that is nearly empty: the screen goes off as it always does.
    }
  }
  const again = () => void ask();
  document.addEventListener("visibilitychange", again);
  void ask();
  return () => {
    isOver = true;
    document.removeEventListener("visibilitychange", again);
    void lock?.release();
  };
}
