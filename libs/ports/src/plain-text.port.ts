/** Turns an agent's markdown into text for channels without markup. */
export abstract class PlainText {
  /**
   * The words of `markdown` without markdown and HTML: link texts, code and table cells stay, tags, scripts and styles go, entities are
   * decoded. The result contains no HTML tag. Never rejects. Long texts are queued fairly by project.
   */
  abstract strip(markdown: string, projectId?: string): Promise<string>;
}
