package io.tidekeeper.controller.job;

import io.tidekeeper.controller.flink.FlinkDeployment;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where the REST API of a deployment's JobManager is: a template over {@code {name}}, {@code
 * {namespace}} and {@code {rest.port}}.
 */
public final class RestAddress {

  /** The service that the Flink operator and Flink's native mode create. */
  public static final String DEFAULT_TEMPLATE = "http://{name}-rest.{namespace}:{rest.port}";

  private static final String REST_PORT = "rest.port";
  private static final String FLINKS_PORT = "8081";
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^{}]*)}");

  private final String template;

  /**
   * @throws IllegalArgumentException if the template has another placeholder or makes no HTTP
   *     address
   */
  public RestAddress(String template) {
    this.template = template;
    fill("name", "namespace", FLINKS_PORT);
  }

  /**
   * The address of one deployment, without a slash at its end.
   *
   * @throws IllegalArgumentException if the deployment's port is none
   */
  public String of(FlinkDeployment deployment, String namespace) {
    return fill(
        deployment.name(),
        namespace,
        deployment.configuration().getOrDefault(REST_PORT, FLINKS_PORT).strip());
  }

  private String fill(String name, String namespace, String port) {
    if (!port.matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException("rest.port '%s' is not a port".formatted(port));
    }
    Matcher matcher = PLACEHOLDER.matcher(template);
    String filled =
        matcher.replaceAll(
            placeholder ->
                switch (placeholder.group(1)) {
                  case "name" -> name;
                  case "namespace" -> namespace;
                  case REST_PORT -> port;
                  default ->
                      throw new IllegalArgumentException(
                          "the address template '%s' has an unknown placeholder %s; there are {name}, {namespace} and {rest.port}"
                              .formatted(template, placeholder.group()));
                });
    URI uri = URI.create(filled);
    if (uri.getHost() == null || uri.getScheme() == null || !uri.getScheme().startsWith("http")) {
      throw new IllegalArgumentException(
          "the address template '%s' makes '%s', which is no HTTP address"
              .formatted(template, filled));
    }
    return filled.replaceFirst("/+$", "");
  }

  @Override
  public String toString() {
    return template;
  }
}
