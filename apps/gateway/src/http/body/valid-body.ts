import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { isLongerThan } from '@domain/kernel/code-points';
import { ParametersRefused, type FailedParameter } from '../errors/error-body.js';
import { shapeOf, type BodyRule } from './body-rules.js';
import type { JsonBody } from './json-body.js';

const LONGEST_NAME = 255;

/** The body as an instance of its class, without members that the class does not declare. Throws `ParametersRefused`. */
export function validBody<Dto extends object>(type: ClassConstructor<Dto>, { members, loneSurrogateIn }: JsonBody): Dto {
  const dto = plainToInstance(type, members, { excludeExtraneousValues: true, exposeUnsetFields: false });
  const failed = loneSurrogateIn === null ? [] : [loneSurrogate(loneSurrogateIn)];
  const [first, ...others] = [...failed, ...failuresOf(dto, type)];
  if (first) throw new ParametersRefused([first, ...others]);
  return dto;
}

/** A member whose own name is not Unicode, or is overlong, is not repeated in the answer. */
function loneSurrogate(member: string): FailedParameter {
  const code = 'parameter_invalid';
  return member.isWellFormed() && !isLongerThan(LONGEST_NAME, member)
    ? { code, message: `${member} holds a lone surrogate.`, param: member }
    : { code, message: "A member's name or value holds a lone surrogate." };
}

function failuresOf(dto: object, type: ClassConstructor<object>): FailedParameter[] {
  const { properties, nested } = shapeOf(type);
  return properties.flatMap(({ name, rules }) => {
    const failure = firstFailure(dto, name, rules);
    const inner = nested[name]?.();
    const value = (dto as Record<string, unknown>)[name];
    const within = inner && value instanceof inner ? failuresOf(value, inner) : [];
    return [...(failure ? [failure] : []), ...within];
  });
}

/** Reports only the first rule that a value breaks. */
function firstFailure(dto: object, property: string, rules: readonly BodyRule[]): FailedParameter | null {
  const value = (dto as Record<string, unknown>)[property];
  const given = { value, property, object: dto, targetName: dto.constructor.name, constraints: [] };
  const broken = rules.find(({ holds }) => !holds(given));
  return broken ? { code: broken.code, message: `${property} ${broken.complaint(given)}.`, param: property } : null;
}
