const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>[0-2]\\d):(?<minute>[0-5]\\d):(?<second>[0-6]\\d)';
/** The present form, that of RFC 850, and that of C's `asctime`: recipients must read all three. */
const FORMS = [
  `[A-Z][a-z]{2}, (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT`,
  `[A-Z][a-z]{5,8}, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT`,
  `[A-Z][a-z]{2} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})`,
].map((form) => new RegExp(`^${form}$`));

/** Epoch milliseconds of an HTTP date; null if it is none. `now` tells the century of a year in two digits: at most 50 years ahead. */
export function readHttpDate(text: string, now: number): number | null {
  const groups = FORMS.map((form) => form.exec(text)?.groups).find((found) => found !== undefined);
  if (!groups) return null;
  const { month = '', day, hour, minute, second, year = '' } = groups;
  const at = (inYear: number) =>
    Date.UTC(inYear, MONTHS.indexOf(month), Number(day), Number(hour), Number(minute), Number(second));
  if (year.length === 4) return at(Number(year));
  const thisYear = new Date(now).getUTCFullYear();
  const inThisCentury = thisYear - (thisYear % 100) + Number(year);
  return at(inThisCentury > thisYear + 50 ? inThisCentury - 100 : inThisCentury);
}
