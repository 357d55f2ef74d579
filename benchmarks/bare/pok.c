/* POK by hand, for speed alone: what a table of random players costs in C. Prints games, rounds, choices and seconds.

   Usage: pok PLAYERS GAMES SEED. The same random numbers per draw as the arena (SplitMix64, one word a draw). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SYMBOLS = 3, DICE = 3, BLANK = 3, EACH = 2, GOAL = 5, MOST_SEATS = 7, MOST_ROUNDS = 200 };

static uint64_t state;

static inline uint32_t below(uint32_t count) {
  uint64_t word = state += 0x9E3779B97F4A7C15u;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
  word ^= word >> 31;
  uint64_t product = (word >> 32) * count;
  if ((uint32_t)product < count) { /* the few words that would make some likelier are drawn again */
    uint32_t threshold = -count % count;
    while ((uint32_t)product < threshold) product = ((state += 0x9E3779B97F4A7C15u) >> 32) * count;
  }
  return (uint32_t)(product >> 32);
}

static int counters[MOST_SEATS][SYMBOLS], left[MOST_SEATS], shown[MOST_SEATS];

static int pick(int seat) {
  int held[SYMBOLS], count = 0;
  for (int symbol = 0; symbol < SYMBOLS; symbol++)
    if (counters[seat][symbol]) held[count++] = symbol;
  return held[below(count)];
}

/* The seats that hand a counter over, as a bit set. */
static unsigned judged(int players, const int *dice, const unsigned *showing) {
  unsigned gone = 0, asked = 0, absent = 0;
  for (int die = 0; die < DICE; die++)
    if (dice[die] != BLANK) {
      asked |= 1u << dice[die];
      if (__builtin_popcount(showing[dice[die]]) == die + 1) gone |= showing[dice[die]];
    }
  if (gone) return gone;
  for (int symbol = 0; symbol < SYMBOLS; symbol++)
    if (!(asked >> symbol & 1)) absent |= showing[symbol];
  return absent == (1u << players) - 1 ? 0 : absent;
}

static int is_dead(int players) {
  unsigned held = 0;
  if (players <= DICE) return 0;
  for (int seat = 0; seat < players; seat++) {
    if (left[seat] != EACH) return 0;
    for (int symbol = 0; symbol < SYMBOLS; symbol++)
      if (counters[seat][symbol]) held |= 1u << symbol;
  }
  return (held & (held - 1)) == 0;
}

/* One game; how many rounds it took. */
static int played(int players) {
  for (int seat = 0; seat < players; seat++) {
    left[seat] = EACH * SYMBOLS;
    for (int symbol = 0; symbol < SYMBOLS; symbol++) counters[seat][symbol] = EACH;
  }
  for (int round = 1;; round++) {
    int dice[DICE] = {(int)below(6) / 2};
    for (int die = 1; die < DICE; die++) {
      int face = (int)below(6);
      dice[die] = face < BLANK ? face : BLANK;
    }
    unsigned showing[SYMBOLS] = {0};
    for (int seat = 0; seat < players; seat++) {
      shown[seat] = pick(seat);
      showing[shown[seat]] |= 1u << seat;
    }
    unsigned gone = judged(players, dice, showing);
    int fewest = EACH * SYMBOLS;
    for (int seat = 0; seat < players; seat++) {
      if (gone >> seat & 1) counters[seat][shown[seat]]--, left[seat]--;
      if (left[seat] < fewest) fewest = left[seat];
    }
    if (EACH * SYMBOLS - fewest >= GOAL || is_dead(players) || round == MOST_ROUNDS) return round;
  }
}

int main(int words, char **word) {
  if (words != 4) return 2;
  int players = atoi(word[1]);
  long games = atol(word[2]), rounds = 0;
  struct timespec begin, end;
  state = strtoull(word[3], NULL, 10);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
  for (long game = 0; game < games; game++) rounds += played(players);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
  printf("%ld %ld %ld %.6f\n", games, rounds, rounds * players, seconds);
  return 0;
}
