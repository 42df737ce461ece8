export const MANY: object;
export const SOME: object;
export const FEW: object;
export const LONG: object;
export const MANY_LONG: object;
export const TICKS: object;
