import { useLocation } from 'preact-iso';

export interface View {
  readonly query: Readonly<Record<string, string>>;
  /** Changes some parameters of the address; an empty or undefined one is left out. */
  readonly show: (changes: Readonly<Record<string, string | undefined>>, replace?: boolean) => void;
  /** The address with these parameters changed, for a link. */
  readonly linkTo: (changes: Readonly<Record<string, string | undefined>>) => string;
}

/** The view as the address bar has it: filters, tab, page and selection are its parameters. */
export function useView(): View {
  const { path, query, route } = useLocation();
  const linkTo = (changes: Readonly<Record<string, string | undefined>>) => {
    const wanted = Object.entries({ ...query, ...changes }).filter((entry): entry is [string, string] => !!entry[1]);
    const search = new URLSearchParams(wanted).toString();
    return search === '' ? path : `${path}?${search}`;
  };
  return { query, linkTo, show: (changes, replace = false) => route(linkTo(changes), replace) };
}
