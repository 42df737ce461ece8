export { Stream, type WordsOptions } from "./stream.js";
export { streams } from "./system.js";
