import { useView } from './use-view.js';

interface Growing {
  /** How many items are to be shown. */
  readonly wanted: number;
  /** The address that shows a page more. */
  readonly more: string;
}

/** A list that is shown from its beginning on, with one page more each time; the address has the number of pages under this name. */
export function useGrowing(name: string, pageSize: number): Growing {
  const { query, linkTo } = useView();
  const pages = Math.max(1, Math.trunc(Number(query[name])) || 1);
  return { wanted: pages * pageSize, more: linkTo({ [name]: String(pages + 1) }) };
}
