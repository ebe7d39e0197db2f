import { Tokenizer, TokenizerMode } from 'parse5';
import type { Token } from 'parse5';

const HIDDEN = new Set(['script', 'style']);
const LINES = new Set(
  'address article aside blockquote br dd div dl dt figcaption footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
);
const CELLS = new Set(['td', 'th']);

function attribute(tag: Token.TagToken, name: string): string {
  return tag.attrs.find((candidate) => candidate.name === name)?.value ?? '';
}

/** An address that readers can use; else empty, as for an embedded image. */
export function readable(url: string): string {
  return /^(?:https?|mailto|tel):/i.test(url) ? url : '';
}

/**
 * Reads the HTML pieces of a markdown source in order. Drops scripts and styles, even across pieces, but only if they are closed: a lone
 * `<script>` in a sentence must not swallow the rest.
 */
export class HtmlText {
  private hiddenBy: string | null = null;
  private readonly lastClose: ReadonlyMap<string, number>;

  constructor(
    source: string,
    private readonly showsAddresses = false,
  ) {
    const lower = source.toLowerCase();
    this.lastClose = new Map([...HIDDEN].map((name) => [name, lower.lastIndexOf(`</${name}`)]));
  }

  words(text: string): string {
    return this.hiddenBy === null ? text : '';
  }

  read(html: string, offset: number): string {
    let text = '';
    let end = 0;
    const take = (token: Token.Token, words = '') => {
      end = token.location?.endOffset ?? end;
      text += words;
    };
    const keep = (token: Token.CharacterToken) => take(token, this.words(token.chars));
    const skip = (token: Token.Token) => take(token);
    const tokenizer = new Tokenizer(
      { sourceCodeLocationInfo: true },
      {
        onCharacter: keep,
        onWhitespaceCharacter: keep,
        onNullCharacter: skip,
        onComment: skip,
        onDoctype: skip,
        onParseError: null,
        onStartTag: (tag) => take(tag, this.open(tag, offset, tokenizer, html)),
        onEndTag: (tag) => take(tag, this.close(tag)),
        // The content of an unfinished tag is text.
        onEof: (token) => take(token, this.words(html.slice(end).replace(/^</, ''))),
      },
    );
    tokenizer.write(html, true);
    return text;
  }

  private open(tag: Token.TagToken, offset: number, tokenizer: Tokenizer, html: string): string {
    if (this.hiddenBy !== null) return '';
    const name = tag.tagName;
    const end = tag.location?.endOffset ?? 0;
    if ((this.lastClose.get(name) ?? -1) >= offset + end) {
      this.hiddenBy = name;
      // As in browsers, tags and comments inside have no meaning.
      if (html.toLowerCase().includes(`</${name}`, end)) tokenizer.state = TokenizerMode.RAWTEXT;
      return '';
    }
    if (name === 'img') return attribute(tag, 'alt') || this.address(attribute(tag, 'src'));
    if (name === 'a') return this.address(attribute(tag, 'href'));
    if (LINES.has(name)) return '\n';
    return '';
  }

  private address(url: string): string {
    return this.showsAddresses ? readable(url) : '';
  }

  private close(tag: Token.TagToken): string {
    const name = tag.tagName;
    if (this.hiddenBy === name) this.hiddenBy = null;
    if (this.hiddenBy !== null) return '';
    if (CELLS.has(name)) return ' ';
    return LINES.has(name) ? '\n' : '';
  }
}
