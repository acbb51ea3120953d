import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.Map;
import java.util.Scanner;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.sts.model.Credentials;
import software.amazon.awssdk.services.sts.StsClient;

/** The AWS SDK for Java on a closed server: it is let in with the right keys, and refused as on AWS with any others. */
public final class Closed {
  private static URI endpoint;
  private static final SdkHttpClient http = UrlConnectionHttpClient.create();
  private static final Map<String, AttributeValue> item = Map.of("pk", AttributeValue.fromS("a"));

  public static void main(String[] words) {
    // Endpoint, key and secret, on a line each.
    Scanner given = new Scanner(System.in, StandardCharsets.UTF_8);
    endpoint = URI.create(given.nextLine());
    String id = given.nextLine();
    String secret = given.nextLine();
    AwsCredentials root = AwsBasicCredentials.create(id, secret);
    DynamoDbClient tables = tables(root, same -> same);
    tables.createTable(
        table ->
            table
                .tableName("music")
                .keySchema(key -> key.attributeName("pk").keyType(KeyType.HASH))
                .attributeDefinitions(of -> of.attributeName("pk").attributeType(ScalarAttributeType.S))
                .billingMode(BillingMode.PAY_PER_REQUEST));
    tables.putItem(put -> put.tableName("music").item(item));
    read(tables);

    Credentials made = identities(root).getSessionToken().credentials();
    read(tables(AwsSessionCredentials.create(made.accessKeyId(), made.secretAccessKey(), made.sessionToken()), same -> same));

    String noSuchToken = "The security token included in the request is invalid";
    String mismatch = "The request signature we calculated does not match the signature you provided";
    AwsCredentials wrong = AwsBasicCredentials.create(id, "wrong");
    refused("InvalidSignatureException", mismatch, tables(wrong, same -> same));
    AwsCredentials unknown = AwsBasicCredentials.create("AKIAAAAAAAAAAAAAAAAA", secret);
    refused("UnrecognizedClientException", noSuchToken, tables(unknown, same -> same));
    AwsCredentials withoutToken = AwsBasicCredentials.create(made.accessKeyId(), made.secretAccessKey());
    refused("UnrecognizedClientException", noSuchToken, tables(withoutToken, same -> same));
    refused("InvalidSignatureException", "Signature expired: ", tables(root, signedAt(root, Duration.ofHours(-1))));
    refused("InvalidSignatureException", "Signature not yet current: ", tables(root, signedAt(root, Duration.ofHours(1))));
    refused("InvalidSignatureException", mismatch, tables(root, sent -> withBody(sent, body(sent).replace("\"a\"", "\"b\""))));
    refused("InvalidSignatureException", mismatch, tables(root, changed(to -> to.putHeader("X-Amz-Target", "DynamoDB_20120810.DeleteItem"))));
    refused("MissingAuthenticationTokenException", "Request is missing Authentication Token", tables(root, changed(to -> to.removeHeader("Authorization"))));
    read(tables);
  }

  private static void read(DynamoDbClient tables) {
    if (!tables.getItem(get -> get.tableName("music").key(item)).item().equals(item)) throw new AssertionError("the item is not there");
  }

  private static void refused(String code, String part, DynamoDbClient tables) {
    try {
      read(tables);
    } catch (AwsServiceException refusal) {
      String message = refusal.awsErrorDetails().errorMessage();
      if (code.equals(refusal.awsErrorDetails().errorCode()) && message.contains(part)) return;
      throw new AssertionError("expected " + code + " (" + part + "), got " + refusal, refusal);
    }
    throw new AssertionError("expected " + code + ", but the request went through");
  }

  private static DynamoDbClient tables(AwsCredentials as, UnaryOperator<HttpExecuteRequest> onItsWay) {
    return DynamoDbClient.builder()
        .endpointOverride(endpoint)
        .region(Region.EU_WEST_1)
        .credentialsProvider(StaticCredentialsProvider.create(as))
        .overrideConfiguration(with -> with.retryStrategy(DefaultRetryStrategy.doNotRetry()))
        .httpClient(through(onItsWay))
        .build();
  }

  private static StsClient identities(AwsCredentials as) {
    return StsClient.builder()
        .endpointOverride(endpoint)
        .region(Region.EU_WEST_1)
        .credentialsProvider(StaticCredentialsProvider.create(as))
        .httpClient(http)
        .build();
  }

  /** Changes what was signed on its way. */
  private static SdkHttpClient through(UnaryOperator<HttpExecuteRequest> onItsWay) {
    return new SdkHttpClient() {
      @Override
      public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
        return http.prepareRequest(onItsWay.apply(request));
      }

      @Override
      public void close() {}
    };
  }

  private static UnaryOperator<HttpExecuteRequest> changed(Consumer<SdkHttpRequest.Builder> change) {
    return sent ->
        HttpExecuteRequest.builder()
            .request(sent.httpRequest().toBuilder().applyMutation(change::accept).build())
            .contentStreamProvider(sent.contentStreamProvider().orElse(null))
            .build();
  }

  private static String body(HttpExecuteRequest sent) {
    try {
      return new String(sent.contentStreamProvider().orElseThrow().newStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  private static HttpExecuteRequest withBody(HttpExecuteRequest sent, String body) {
    ContentStreamProvider content = () -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
    return HttpExecuteRequest.builder().request(sent.httpRequest()).contentStreamProvider(content).build();
  }

  /** Signs as if the clock were elsewhere. */
  private static UnaryOperator<HttpExecuteRequest> signedAt(AwsCredentials as, Duration ahead) {
    return sent -> {
      SdkHttpRequest.Builder unsigned = sent.httpRequest().toBuilder();
      for (String name : new String[] {"Authorization", "X-Amz-Date", "x-amz-content-sha256"}) unsigned.removeHeader(name);
      SignedRequest signed =
          AwsV4HttpSigner.create()
              .sign(
                  to ->
                      to.identity(as)
                          .request(unsigned.build())
                          .payload(sent.contentStreamProvider().orElseThrow())
                          .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "dynamodb")
                          .putProperty(AwsV4HttpSigner.REGION_NAME, "eu-west-1")
                          .putProperty(HttpSigner.SIGNING_CLOCK, Clock.offset(Clock.systemUTC(), ahead)));
      return HttpExecuteRequest.builder()
          .request(signed.request())
          .contentStreamProvider(signed.payload().orElse(null))
          .build();
    };
  }
}
