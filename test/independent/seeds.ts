/** Seeds of every kind of text, each with what it is. */
export const SEEDS: [what: string, seed: string][] = [
  ["a word", "moria"],
  ["the empty text", ""],
  ["a digit", "1"],
  ["text beyond ASCII", "é世界"],
  ["a surrogate pair", "\u{1f30b}"],
  ["a lone surrogate", "\ud800"],
  ["300 equal characters", "x".repeat(300)],
  ["330 different characters", "0123456789é".repeat(30)],
];
