import type { ClassConstructor } from 'class-transformer';
import { isLongerThan } from '@domain/kernel/code-points';
import { shapeOf, type BodyRule } from './body-rules.js';
import { ParametersRefused, type FailedParameter } from '../errors/error-answer.js';
import { isObject, type JsonBody } from './json-body.js';

const LONGEST_NAME = 255;

/** The body as an instance of its class; throws `ParametersRefused`. Members that the class does not know are left behind. */
export function validBody<Dto extends object>(type: ClassConstructor<Dto>, { members, loneSurrogateIn }: JsonBody): Dto {
  const failed: FailedParameter[] = [];
  if (loneSurrogateIn !== null) failed.push(loneSurrogate(loneSurrogateIn));
  const dto = build(type, members, failed);
  const [first, ...others] = failed;
  if (first) throw new ParametersRefused([first, ...others]);
  return dto;
}

/** A name that is no Unicode itself, or has no end, is not repeated. */
function loneSurrogate(member: string): FailedParameter {
  const code = 'parameter_invalid';
  return member.isWellFormed() && !isLongerThan(LONGEST_NAME, member)
    ? { code, message: `${member} holds a lone surrogate.`, param: member }
    : { code, message: "A member's name or value holds a lone surrogate." };
}

function build<Dto extends object>(
  type: ClassConstructor<Dto>,
  members: Readonly<Record<string, unknown>>,
  failed: FailedParameter[],
) {
  const { properties, nested } = shapeOf(type);
  const dto = new type();
  const values = dto as Record<string, unknown>;
  const within: Record<string, FailedParameter[]> = {};
  for (const { name } of properties) {
    if (!Object.hasOwn(members, name)) continue;
    const value = members[name];
    const inner = nested[name];
    values[name] = inner && isObject(value) ? build(inner(), value, (within[name] = [])) : value;
  }
  for (const { name, rules } of properties) {
    const failure = firstFailure(dto, name, rules);
    if (failure) failed.push(failure);
    if (within[name]) failed.push(...within[name]);
  }
  return dto;
}

/** Only the first rule that a value breaks is told. */
function firstFailure(dto: object, property: string, rules: readonly BodyRule[]): FailedParameter | null {
  const value = (dto as Record<string, unknown>)[property];
  const given = { value, property, object: dto, targetName: dto.constructor.name, constraints: [] };
  const broken = rules.find(({ holds }) => !holds(given));
  return broken ? { code: broken.code, message: `${property} ${broken.complaint(given)}.`, param: property } : null;
}
