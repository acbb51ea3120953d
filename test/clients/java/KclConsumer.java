import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.auth.credentials.*;
import software.amazon.awssdk.http.Protocol;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.cloudwatch.CloudWatchAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.kinesis.KinesisAsyncClient;
import software.amazon.kinesis.common.*;
import software.amazon.kinesis.coordinator.Scheduler;
import software.amazon.kinesis.lifecycle.events.*;
import software.amazon.kinesis.processor.*;
import software.amazon.kinesis.retrieval.polling.PollingConfig;

/** Consumes a stream with the Kinesis Client Library until it has seen as many different records as it was told. */
public class KclConsumer {
  static final Set<String> seen = ConcurrentHashMap.newKeySet();
  public static void main(String[] a) throws Exception {
    URI end = URI.create(a[0]); String stream = a[1]; int expected = Integer.parseInt(a[2]); long until = System.currentTimeMillis() + Long.parseLong(a[3]) * 1000;
    AwsCredentialsProvider c = StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));
    Region r = Region.EU_WEST_1;
    KinesisAsyncClient k = KinesisAsyncClient.builder().endpointOverride(end).region(r).credentialsProvider(c).httpClientBuilder(NettyNioAsyncHttpClient.builder().protocol(Protocol.HTTP1_1)).build();
    DynamoDbAsyncClient d = DynamoDbAsyncClient.builder().endpointOverride(end).region(r).credentialsProvider(c).build();
    CloudWatchAsyncClient w = CloudWatchAsyncClient.builder().endpointOverride(end).region(r).credentialsProvider(c).build();
    ConfigsBuilder b = new ConfigsBuilder(stream, "kcl-app", k, d, w, UUID.randomUUID().toString(), Processor::new);
    Scheduler s = new Scheduler(b.checkpointConfig(), b.coordinatorConfig().parentShardPollIntervalMillis(500).shardConsumerDispatchPollIntervalMillis(200), b.leaseManagementConfig().shardSyncIntervalMillis(1000).leasesRecoveryAuditorExecutionFrequencyMillis(5000), b.lifecycleConfig(), b.metricsConfig().metricsBufferTimeMillis(3000), b.processorConfig(),
      b.retrievalConfig().initialPositionInStreamExtended(InitialPositionInStreamExtended.newInitialPosition(InitialPositionInStream.TRIM_HORIZON)).retrievalSpecificConfig(new PollingConfig(stream, k).idleTimeBetweenReadsInMillis(200)));
    Thread t = new Thread(s); t.setDaemon(true); t.start();
    while (seen.size() < expected && System.currentTimeMillis() < until) Thread.sleep(200);
    System.out.println("SEEN " + seen.size());
    System.exit(seen.size() == expected ? 0 : 1);
  }
  static class Processor implements ShardRecordProcessor {
    String shard;
    public void initialize(InitializationInput i) { shard = i.shardId(); System.out.println("INIT " + shard); }
    public void processRecords(ProcessRecordsInput i) {
      i.records().forEach(x -> seen.add(StandardCharsets.UTF_8.decode(x.data().asReadOnlyBuffer()).toString()));
      try { i.checkpointer().checkpoint(); } catch (Exception e) { System.out.println("CHECKPOINT " + e); }
    }
    public void leaseLost(LeaseLostInput i) {}
    public void shardEnded(ShardEndedInput i) { System.out.println("ENDED " + shard); try { i.checkpointer().checkpoint(); } catch (Exception e) { System.out.println("END " + e); } }
    public void shutdownRequested(ShutdownRequestedInput i) { try { i.checkpointer().checkpoint(); } catch (Exception e) {} }
  }
}
