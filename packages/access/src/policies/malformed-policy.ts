/** A policy document that is refused. The message is IAM's; whoever was given the document chooses the error for it:
 *  MalformedPolicyDocument in IAM and STS, ValidationException in DynamoDB. */
export class MalformedPolicy extends Error {
  override readonly name = 'MalformedPolicy'
}
