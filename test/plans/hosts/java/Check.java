import java.io.*;
import java.nio.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

/** What check.py does, in Java. */
public class Check {
  static void put(int[] numbers) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asIntBuffer().put(numbers);
    System.out.write(bytes.array());
  }

  static void say(int[] numbers) {
    System.err.println(IntStream.of(numbers).mapToObj(Integer::toString).collect(Collectors.joining(" ")));
  }

  interface Call { void run() throws IOException; }

  static Rollmill.Refused refused(Call call) throws IOException {
    try {
      call.run();
    } catch (Rollmill.Refused refusal) {
      return refusal;
    }
    return null;
  }

  public static void main(String[] given) throws IOException {
    Rollmill mill = new Rollmill(Files.readAllBytes(Path.of(given[0])), given[1]);
    for (int noun = 0; noun < mill.count(); noun++) {
      int one = noun, width = mill.width(noun), n = Integer.parseInt(given[2]) / Math.max(1, width) + 1;
      long key = mill.key(noun);
      int[] quantities = mill.hasQuantities(noun) ? new int[n * width] : null;
      if (width > 0) put(mill.many(noun, key, 1000, n, quantities));
      if (quantities != null) put(quantities);
      Rollmill.Refused refusal = null;
      for (int k = 0; width == 0 && refusal == null; k++) {
        int pool = k;
        refusal = refused(() -> put(mill.draw(one, pool, key, n)));
      }
      if (refusal != null && refusal.status != 11) throw refusal;
    }
    int hp = mill.find("hp"), bag = mill.find("bag");
    say(mill.many(hp, mill.fork(mill.fork(mill.fork(mill.key(hp), "é/7"), -5), -1, 2), 0, 5, null));
    byte[] state = mill.save();
    say(mill.draw(bag, 1, mill.key(bag), 9));
    mill.load(state);
    say(mill.draw(bag, 1, mill.key(bag), 9));
    System.err.println(mill.labels(mill.find("chest")));
    state[0] = 'x';
    System.err.println(refused(() -> mill.load(state)).getMessage());
    System.err.println(refused(() -> mill.find("nothing")).getMessage());
    mill.close();
    try {
      mill.count();
      System.err.println("a closed mill counts");
    } catch (NullPointerException closed) {
    }
  }
}
