// Scripts in JavaScript, as the arena runs them.
import { scriptsOf } from "../../tests/script.mjs";

export { FIRST, LENGTH, STOP } from "../../tests/script.mjs";
export const { start, logged } = await scriptsOf("javascript");
