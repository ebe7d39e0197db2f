/** What was typed is no command, or names something that is not known: the process ends with 2. */
export class WrongWords extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WrongWords';
  }
}
