import { SaveCustomer, UpdateCustomer, type CustomerInput } from '@application/customers/customer.commands';
import type { RequestContext } from '@application/runtime/request-context';
import { LONGEST_TEXT } from '@domain/kernel/text-bounds';
import type { MetadataText } from '../http/body/metadata-text.js';
import { EmailField, MetadataField, PhoneField, readEmail, TextField } from '../http/fields/fields.js';
import { RequiredWithout } from '../http/fields/rules.js';

const NAME = { max: LONGEST_TEXT, description: 'What the customer is called.' };
const EXTERNAL_ID = { max: LONGEST_TEXT, description: "The client's own id of the customer." };

/** A customer as a request names it. */
export class CustomerDto {
  @PhoneField({ description: 'E.164.', example: '+4915112345678' })
  @RequiredWithout('email')
  phone?: string | null;

  @EmailField({ example: 'a@b.co' })
  email?: string | null;

  @TextField({ ...NAME, example: 'Anna Schmidt' })
  name?: string | null;

  @TextField({ ...EXTERNAL_ID, example: 'crm-42' })
  external_id?: string | null;

  @MetadataField()
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

/** Changes to a customer. Null removes a name or external_id, and leaves the others as they are. */
export class UpdateCustomerDto {
  @PhoneField({ description: 'E.164.' })
  phone?: string | null;

  @EmailField()
  email?: string | null;

  @TextField(NAME)
  name?: string | null;

  @TextField(EXTERNAL_ID)
  external_id?: string | null;

  @MetadataField()
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
