// The files beside this one. Modules in folders ask here, because a script with everything that it imports lies here,
// too.

/** The address of a file. @param {string} name */
export const fileUrl = (name) => new URL(name, import.meta.url);
