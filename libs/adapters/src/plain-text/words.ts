import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { HtmlText, readable } from './html-text.js';
import { withoutTags } from './without-tags.js';

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>['children'][number];
type Kind<T extends Node['type']> = Extract<Node, { type: T }>;
type Parent = Extract<Node, { children: unknown }>;
type Leaf = Exclude<Node, Parent>;

const OPTIONS = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };
/** Markdown inside HTML blocks, which the parser takes as text, is parsed again to this depth. */
const DEPTH = 3;
const MARK = String.raw`[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])|\[\^[^\]\n]{1,99}\]:)`;
/** More than 20 levels: the parser's cost grows with lines times depth, and depth times length. */
const ENDLESS_NESTING = new RegExp(String.raw`^((?:${MARK}){20})(?:${MARK})+`, 'gm');

class Walk {
  private readonly html: HtmlText;

  constructor(
    private readonly source: string,
    private readonly depth: number,
    private readonly showsAddresses: boolean,
  ) {
    this.html = new HtmlText(source, showsAddresses);
  }

  text(node: Node): string {
    return 'children' in node ? this.parent(node) : this.leaf(node);
  }

  private leaf(node: Leaf): string {
    switch (node.type) {
      case 'text':
      case 'inlineCode':
      case 'code':
        return this.html.words(node.value);
      case 'html':
        return this.html.read(node.value, node.position?.start.offset ?? 0);
      case 'image':
        return this.html.words(node.alt || this.address(node.url));
      case 'imageReference':
        return this.html.words(node.alt ?? '');
      case 'break':
        return this.html.words('\n');
      case 'footnoteReference':
        return this.html.words(` (${node.label ?? node.identifier})`);
      case 'definition':
        return this.address(node.url);
      case 'thematicBreak':
      case 'yaml':
        return '';
    }
  }

  private parent(node: Parent): string {
    switch (node.type) {
      case 'emphasis':
        return this.emphasis(node);
      case 'root':
      case 'blockquote':
        return this.blocks(node.children);
      case 'footnoteDefinition':
        return `(${node.label ?? node.identifier}) ${this.blocks(node.children)}`;
      case 'list':
        return this.list(node);
      case 'listItem':
        return this.item(node);
      case 'table':
        return node.children.map((row) => this.text(row)).join('\n');
      case 'tableRow':
        return this.row(node);
      case 'link':
        return this.link(node);
      case 'paragraph':
      case 'heading':
      case 'strong':
      case 'delete':
      case 'linkReference':
      case 'tableCell':
        return this.inline(node.children);
    }
  }

  /** A link without a text would be lost. */
  private link({ children, url }: Kind<'link'>): string {
    const text = this.inline(children);
    return text.trim() === '' ? text + this.html.words(readable(url)) : text;
  }

  private address(url: string): string {
    return this.showsAddresses ? readable(url) : '';
  }

  private inline(children: readonly Node[]): string {
    return children.map((child) => this.text(child)).join('');
  }

  private blocks(children: readonly Node[]): string {
    return children
      .map((child) => (child.type === 'html' ? this.htmlBlock(child) : this.text(child)))
      .filter((text) => text.trim() !== '')
      .join('\n\n');
  }

  private htmlBlock(node: Kind<'html'>): string {
    const text = this.text(node).trim();
    return this.depth >= DEPTH ? text : parsed(text, this.depth + 1, this.showsAddresses);
  }

  /** Emphasis directly between two digits is a multiplication. */
  private emphasis(node: Kind<'emphasis'>): string {
    const text = this.inline(node.children);
    const start = node.position?.start.offset ?? 0;
    const isProduct = /^\d\*\d$/.test(this.source.slice(Math.max(0, start - 1), start + 2));
    return isProduct && text !== '' ? `*${text}*` : text;
  }

  private list(node: Kind<'list'>): string {
    const first = node.start ?? 1;
    return node.children
      .map((item, index) => `${node.ordered ? `${first + index}. ` : ''}${this.text(item)}`)
      .filter((line) => line.trim() !== '')
      .join('\n');
  }

  private item(node: Kind<'listItem'>): string {
    const mark = node.checked === null || node.checked === undefined ? '' : node.checked ? '☑ ' : '☐ ';
    return mark + this.blocks(node.children).replace(/\n{2,}/g, '\n');
  }

  private row(node: Kind<'tableRow'>): string {
    return node.children
      .map((cell) => this.text(cell).trim())
      .filter((cell) => cell !== '')
      .join(', ');
  }
}

function parsed(markdown: string, depth: number, showsAddresses: boolean): string {
  const source = markdown.replace(ENDLESS_NESTING, '$1');
  return new Walk(source, depth, showsAddresses).text(fromMarkdown(source, 'utf8', OPTIONS));
}

/** The fallback for a piece nested too deep to parse. */
export function flattened(markdown: string): string {
  return markdown.replace(/^[\s>#*+-]+/gm, '').replace(/[*_`~[\]|\\]/g, '');
}

export function wordsOf(markdown: string): string {
  let text: string;
  try {
    text = parsed(markdown, 0, false);
    if (text.trim() === '') text = parsed(markdown, 0, true);
  } catch {
    text = flattened(markdown);
  }
  return withoutTags(text.replace(/\u00a0/g, ' '));
}
