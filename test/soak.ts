/** Whether random tests run all their cases. `npm run soak:cases` does so, and takes minutes. */
export const IS_SOAK = process.env.SOAK === "1";
