import type { Stopping } from '@hashrange/engine'

/** Where notifications of alarms go. Alarms themselves know no network. */
export interface AlarmNotifier {
  /** Why an address would not be notified, if so: an alarm that names it is rejected when it is created. */
  refusalOf(url: string): string | undefined
  /** Resolves once the notification has been accepted; rejects if it could not be delivered, or not before everything
   *  must stop. */
  notify(url: string, notification: AlarmNotification, stopping: Stopping): Promise<void>
}

/** In the form in which SNS delivers CloudWatch's notifications over HTTP: `Message` is JSON in a text. */
export interface AlarmNotification {
  readonly Type: 'Notification'
  readonly MessageId: string
  readonly TopicArn: string
  readonly Subject: string
  readonly Message: string
  readonly Timestamp: string
}
