package io.tidekeeper.controller.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What became of a write. */
public sealed interface WriteResult {

  /** It is done. */
  record Written() implements WriteResult {}

  /**
   * Others own fields of ours with other values; nothing was written.
   *
   * @param fields each field and who owns it
   */
  record FieldConflict(List<Claim> fields) implements WriteResult {

    /** Copies the fields. */
    public FieldConflict {
      fields = List.copyOf(fields);
    }
  }

  /** There is no such object any more, or another under its name. */
  record Gone() implements WriteResult {}

  /** The object has changed since it was read; nothing was written. */
  record Stale() implements WriteResult {}

  /**
   * A field that somebody else owns.
   *
   * @param field its name; of the Flink configuration the key
   * @param owner the manager
   */
  record Claim(String field, String owner) {

    private static final String CONFIGURATION = ".spec.flinkConfiguration.";
    private static final Pattern OWNER = Pattern.compile("conflict with \"([^\"]*)\".*");

    static Claim of(StatusCause cause) {
      String field = String.valueOf(cause.getField());
      Matcher owner = OWNER.matcher(String.valueOf(cause.getMessage()));
      return new Claim(
          field.startsWith(CONFIGURATION) ? field.substring(CONFIGURATION.length()) : field,
          owner.matches() ? owner.group(1) : String.valueOf(cause.getMessage()));
    }

    @Override
    public String toString() {
      return field + " by " + owner;
    }
  }

  /** The name of the kind of result, for metrics. */
  default String label() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /**
   * What a refusal means. Three different things are a Conflict to the API server: they are told
   * apart by their causes, and by what the message says about the identity.
   *
   * @throws KubernetesClientException the same when it is none of the expected refusals
   */
  static WriteResult of(KubernetesClientException refusal) {
    List<StatusCause> causes = causes(refusal);
    if (refusal.getCode() == 404) {
      return new Gone();
    }
    if (refusal.getCode() == 409) {
      List<Claim> claims =
          causes.stream()
              .filter(cause -> "FieldManagerConflict".equals(cause.getReason()))
              .map(Claim::of)
              .toList();
      if (!claims.isEmpty()) {
        return new FieldConflict(claims);
      }
      return said(refusal).contains("uid mismatch") ? new Gone() : new Stale();
    }
    if (refusal.getCode() == 422
        && causes.stream().anyMatch(cause -> "metadata.uid".equals(cause.getField()))) {
      return new Gone();
    }
    throw refusal;
  }

  private static List<StatusCause> causes(KubernetesClientException refusal) {
    Status status = refusal.getStatus();
    return status == null || status.getDetails() == null || status.getDetails().getCauses() == null
        ? List.of()
        : status.getDetails().getCauses();
  }

  private static String said(KubernetesClientException refusal) {
    String message =
        refusal.getStatus() == null ? refusal.getMessage() : refusal.getStatus().getMessage();
    return String.valueOf(message);
  }
}
