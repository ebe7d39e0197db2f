import { ApiSchema } from '@nestjs/swagger';
import { SaveCustomer, UpdateCustomer, type CustomerInput } from '@application/customers/customer.commands';
import type { RequestContext } from '@application/runtime/request-context';
import { MAX_TEXT_LENGTH } from '@domain/kernel/text-bounds';
import type { MetadataText } from '../http/body/metadata-text.js';
import { EmailField, MetadataField, PhoneField, readEmail, TextField } from '../http/fields/fields.js';
import { RequiredWithout } from '../http/fields/rules.js';

const PHONE = 'A phone number in E.164 format: a plus sign and 2 to 15 digits.';
const EMAIL = 'An e-mail address, compared in lower case.';
const NAME = { max: MAX_TEXT_LENGTH, description: 'What the customer is called; in a change, null removes it.' };
const EXTERNAL_ID = {
  max: MAX_TEXT_LENGTH,
  description: "The client's own id of the customer; customers are not found by it. In a change, null removes it.",
};

@ApiSchema({
  description:
    'Names a customer by phone or e-mail. Where a live customer has the phone, or else the e-mail, it is that one, and members that it lacks are filled in; else a new one is made.',
})
export class CustomerDto {
  @PhoneField({ description: `${PHONE} This or the e-mail address is required.`, example: '+4915112345678' })
  @RequiredWithout('email')
  phone?: string | null;

  @EmailField({ description: `${EMAIL} This or the phone number is required.`, example: 'a@b.co' })
  email?: string | null;

  @TextField({ ...NAME, example: 'Anna Schmidt' })
  name?: string | null;

  @TextField({ ...EXTERNAL_ID, example: 'crm-42' })
  external_id?: string | null;

  @MetadataField({ description: '`{}` when not given for a new customer.' })
  metadata?: MetadataText | null;

  toInput(): CustomerInput {
    const { phone, email, name, external_id: externalId, metadata } = this;
    return {
      ...(phone ? { phone } : {}),
      ...(email ? { email: readEmail(email) } : {}),
      ...(name ? { name } : {}),
      ...(externalId ? { externalId } : {}),
      ...(metadata ? { metadata: metadata.text } : {}),
    };
  }

  toCommand(context: RequestContext): SaveCustomer {
    return new SaveCustomer(context, this.toInput());
  }
}

/** Null clears a name or external_id; for other members it means absent. */
@ApiSchema({ description: 'The members to change. Those that are left out stay as they are.' })
export class UpdateCustomerDto {
  @PhoneField({ description: `${PHONE} Null leaves it as it is.` })
  phone?: string | null;

  @EmailField({ description: `${EMAIL} Null leaves it as it is.` })
  email?: string | null;

  @TextField(NAME)
  name?: string | null;

  @TextField(EXTERNAL_ID)
  external_id?: string | null;

  @MetadataField({ description: 'Replaces all of it; null leaves it as it is.' })
  metadata?: MetadataText | null;

  toCommand(context: RequestContext, customerId: string): UpdateCustomer {
    const { phone, email, name, external_id: externalId, metadata } = this;
    return new UpdateCustomer(context, customerId, {
      ...(phone ? { phone } : {}),
      ...(email ? { email: readEmail(email) } : {}),
      ...(name === undefined ? {} : { name }),
      ...(externalId === undefined ? {} : { externalId }),
      ...(metadata ? { metadata: metadata.text } : {}),
    });
  }
}
