import { dirname, join } from 'node:path';

/** Markdown files by their path from the root, with `/` between folders. */
export type Pages = Readonly<Record<string, string>>;

const FENCED = /^```[\s\S]*?^```$/gm;
const HEADING = /^#{1,6} (.+)$/gm;
const LINK = /\]\(([^)\s]+)\)/g;
const CODE = /`[^`\n]*`/g;

const prose = (page: string) => page.replace(FENCED, '');
const firstGroups = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first = '']) => first);

/** The anchors that GitHub gives a page's headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const slug = (heading: string) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
  return new Set(firstGroups(prose(page), HEADING).map(slug));
}

/** The links of all pages that lead to no file, or to no heading of a page, as `page: link`. `exists` takes a path from the root. */
export function deadLinks(pages: Pages, exists: (path: string) => boolean): readonly string[] {
  return Object.entries(pages).flatMap(([path, page]) =>
    firstGroups(prose(page).replace(CODE, ''), LINK)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? path : join(dirname(path), file);
        const isThere = exists(target);
        const targetPage = pages[target];
        return !isThere || (anchor !== undefined && (targetPage === undefined || !anchorsOf(targetPage).has(anchor)));
      })
      .map((link) => `${path}: ${link}`),
  );
}

/** The cells of every table row of a page, the lines below headings aside. Code marks are kept. */
export function rowsOf(page: string): readonly (readonly string[])[] {
  return prose(page)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
}
