import { NUMBER, NUMBER_WORDS } from './numbers.js';

export const VISIT = String.raw`(?:appointments?|bookings?|reservations?|visits?|time ?slots?|slots?|sessions?|check[- ]?ups?|consultations?|meetings?)`;
export const IT = String.raw`(?:it|that|this(?: one)?|that one|them|both|all|everything|mine)`;
export const MY_VISIT = String.raw`(?:(?:my|the|our|this|that|all|both)(?: (?!and\b|or\b)[\w'-]+){0,4}? ${VISIT})`;
export const WHEN = String.raw`(?:to(?:day|night|morrow)|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|saturday|sunday|next|this (?:morning|afternoon|evening|week)|noon|midday|(?:the )?\d[\w:.]{0,8})`;
/** A time of day that is spelled out. */
export const CLOCK_WORDS = String.raw`(?:half|(?:a )?quarter (?:past|to|after)|(?:${NUMBER_WORDS})(?! (?:of|minutes?|hours?|days?|weeks?)\b))\b`;
/** How the names of months begin, written out or not. */
export const MONTH_BEGINS = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
/** "May" is another word too often: it counts beside a number only where that can be a day. */
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY = String.raw`(?:today|tonight|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:on|next|this) (?:mon|tue|wed|thu|fri|sat|sun)|next week|${MONTH}\.? \d{1,2}(?:st|nd|rd|th)?|may \d{1,2}(?=[,.!? ]*$| at\b)|\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${MONTH}|may)|\d{1,2}(?:st|nd|rd|th)|\d{4}-\d\d-\d\d(?:t\d[\d:.]*(?:z|[+-]\d\d:?\d\d)?)?|\d{1,2}/\d{1,2})`;
const HOUR = String.raw`(?:noon|midday|midnight|o'clock|half past|quarter (?:past|to)|\d{1,2}[:.]\d\d|\d{1,2} ?(?:am|pm|a\.m|p\.m|h)|\d{4}-\d\d-\d\dt\d[\d:.]*|at ${NUMBER})`;
const ROUGHLY = String.raw`(?:earliest|soonest|asap|any ?time|whenever|morning|afternoon|evening|in (?:\d+|an?|one|two|three|four|five|six|seven) (?:minute|hour|day|week)s?|(?:hour|minute|day|week)s? (?:later|earlier))`;
/** "Monday, Wednesday and Friday"; "between Monday and Friday" is a span. */
export const SPEAKS_OF_DAYS = new RegExp(String.raw`(?<!\bbetween )\b${DAY}(?: as well as|,? and)(?: also)?(?: on)? ${DAY}\b`);
export const SPEAKS_OF_DAY = new RegExp(String.raw`\b${DAY}\b`);
export const SPEAKS_OF_HOUR = new RegExp(String.raw`\b${HOUR}\b`);
export const SPEAKS_OF_TIME = new RegExp(String.raw`\b(?:${DAY}|${HOUR}|${ROUGHLY})\b`);

/** What can be cancelled, moved or confirmed elsewhere, but is no appointment. */
export const NO_VISIT = String.raw`(?:orders?|subscriptions?|accounts?|contracts?|memberships?|plans?|flights?|hotels?|cards?|payments?|polic(?:y|ies)|insurances?|tickets?|invoices?|bills?|trips?|trains?|rooms?|buttons?|culture|newsletters?|fees?|deliver(?:y|ies)|e-?mails?|phones?|numbers?|address(?:es)?|identity|names?|passwords?)`;
