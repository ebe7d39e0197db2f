/** Generated clients name each word of an enum, and a name begins with a letter. */
export function amongChoices(choices: readonly string[]) {
  return choices.every((word) => /^[a-z]/i.test(word)) ? { enum: [...choices] } : { pattern: `^(${choices.join('|')})$` };
}
