/** Turns an agent's markdown into text for channels that show none. */
export abstract class PlainText {
  /**
   * The words of `markdown` without markdown and HTML markup: link and image texts, code and table cells stay, tags,
   * scripts and styles go, entities are decoded. Nothing in the result reads as an HTML tag. Never rejects. Long texts wait
   * for one another, and projects take turns.
   */
  abstract strip(markdown: string, projectId?: string): Promise<string>;
}
