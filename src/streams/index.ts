export { Stream, type WordsOptions } from "./stream.js";
