/** What a reasoning model thought before it spoke, where its server leaves that in the text: whole, cut off, or … */
const BLOCKS = /^(?:\s*<(think|thinking)>[\s\S]*?(?:<\/\1>|$))+/;
/** … without its beginning, which some servers put before the answer themselves. */
const REST = /^(?:(?!<think>)[\s\S])*?<\/think>/;

/** What a model says to the customer, without the thoughts before it. */
export function spoken(text: string): string {
  return text.replace(BLOCKS, '').replace(REST, '');
}
