import static java.nio.charset.StandardCharsets.UTF_8;
import com.sun.jna.*;
import com.sun.jna.ptr.PointerByReference;
import java.util.*;
import java.util.function.ToIntFunction;

/** An open plan file with a seed, by the C library (see rollmill.h). Use it in one thread at a time. */
public final class Rollmill implements AutoCloseable {
  /** A call that is refused: its status, and its sentence as the message. */
  public static final class Refused extends RuntimeException {
    public final int status;
    Refused(int status) { super(C.rm_error(status)); this.status = status; }
  }
  public static final class Size extends IntegerType { // size_t
    public Size() { this(0); } // JNA calls it
    Size(long value) { super(Native.SIZE_T_SIZE, value, true); }
  }
  public interface Calls extends Library {
    String rm_error(int status);
    int rm_open(byte[] plan, Size planBytes, byte[] seed, Size seedBytes, PointerByReference mill);
    void rm_close(Pointer mill);
    int rm_count(Pointer mill);
    int rm_find(Pointer mill, byte[] name, Size bytes, long[] noun); // writes the low half: the machine is little-endian
    int rm_about(Pointer mill, int noun, Pointer kind, Pointer name, Pointer n, PointerByReference labels, Pointer l);
    long rm_noun_key(Pointer mill, int noun);
    int rm_fork_text(Pointer mill, long parent, byte[] id, Size bytes, long[] key);
    int rm_fork_integer(Pointer mill, long parent, long id, long[] key);
    int rm_fork_pair(Pointer mill, long parent, int first, int second, long[] key);
    int rm_width(Pointer mill, int noun);
    int rm_has_quantities(Pointer mill, int noun);
    int rm_many(Pointer mill, int noun, long key, long from, Size count, int[] results, int[] quantities);
    int rm_draw(Pointer mill, int family, int pool, long key, Size count, int[] records, long[] drawn);
    Size rm_state_bytes(Pointer mill);
    int rm_state_save(Pointer mill, byte[] state, Size bytes);
    int rm_state_load(Pointer mill, byte[] state, Size bytes);
  }
  private static final Calls C = Native.load("rollmill", Calls.class);
  private Pointer mill;

  public Rollmill(byte[] plan, String seed) {
    PointerByReference opened = new PointerByReference();
    check(C.rm_open(plan, new Size(plan.length), seed.getBytes(UTF_8), bytes(seed), opened));
    mill = opened.getValue();
  }
  @Override public void close() { C.rm_close(mill); mill = null; }
  public int count() { return C.rm_count(open()); }
  public int find(String name) {
    return (int) made(noun -> C.rm_find(open(), name.getBytes(UTF_8), bytes(name), noun));
  }
  /** The labels of a noun, as JSON. */
  public String labels(int noun) {
    PointerByReference labels = new PointerByReference();
    check(C.rm_about(open(), noun, null, null, null, labels, null));
    return labels.getValue().getString(0, "UTF-8");
  }
  public int width(int noun) { return C.rm_width(open(), noun); }
  public boolean hasQuantities(int noun) { return C.rm_has_quantities(open(), noun) != 0; }
  public long key(int noun) { return C.rm_noun_key(open(), noun); }
  /** The key of `fork(id)` of JavaScript: of a text, a whole number, or two of them. */
  public long fork(long key, String id) {
    return made(out -> C.rm_fork_text(open(), key, id.getBytes(UTF_8), bytes(id), out));
  }
  public long fork(long key, long id) { return made(out -> C.rm_fork_integer(open(), key, id, out)); }
  public long fork(long key, int first, int second) {
    return made(out -> C.rm_fork_pair(open(), key, first, second, out));
  }

  /** Makes the results from … from + count − 1, and writes their quantities to an array that is not null. */
  public int[] many(int noun, long key, long from, int count, int[] quantities) {
    int[] results = new int[Math.multiplyExact(count, width(noun))];
    if (quantities != null && quantities.length < results.length) throw new IllegalArgumentException("too few quantities");
    check(C.rm_many(open(), noun, key, from, new Size(count), results, quantities));
    return results;
  }
  /** Draws records from a pool, by its number. Returns fewer if the pool has nothing left. */
  public int[] draw(int family, int pool, long key, int count) {
    int[] records = new int[count];
    long drawn = made(out -> C.rm_draw(open(), family, pool, key, new Size(count), records, out));
    return Arrays.copyOf(records, (int) drawn);
  }

  public byte[] save() {
    byte[] state = new byte[C.rm_state_bytes(open()).intValue()];
    check(C.rm_state_save(open(), state, new Size(state.length)));
    return state;
  }
  public void load(byte[] state) { check(C.rm_state_load(open(), state, new Size(state.length))); }

  private static long made(ToIntFunction<long[]> call) {
    long[] out = new long[1];
    check(call.applyAsInt(out));
    return out[0];
  }
  private static Size bytes(String text) { return new Size(text.getBytes(UTF_8).length); }
  private Pointer open() { return Objects.requireNonNull(mill, "the mill is closed"); }
  private static void check(int status) {
    if (status != 0 && status != 6) throw new Refused(status); // 6: nothing is left to draw
  }
}
