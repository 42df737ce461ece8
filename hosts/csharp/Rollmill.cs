using System;
using System.Runtime.InteropServices;
using static System.Text.Encoding;

/// <summary>A call that is refused: its status, and its sentence as the message.</summary>
public sealed class RollmillException : Exception {
  public readonly int Status;
  internal RollmillException(int status, string sentence) : base(sentence) { Status = status; }
}

/// <summary>An open plan file with a seed, by the C library (see rollmill.h). Use it in one thread at a time.</summary>
public sealed class Rollmill : IDisposable {
  readonly Handle mill;

  public Rollmill(byte[] plan, string seed) {
    Check(rm_open(plan, Size(plan.Length), UTF8.GetBytes(seed), Bytes(seed), out mill));
  }
  public void Dispose() => mill.Dispose();

  public uint Count => rm_count(mill);
  public uint Find(string name) => Check(rm_find(mill, UTF8.GetBytes(name), Bytes(name), out uint noun), noun);
  /// <summary>The labels of a noun, as JSON.</summary>
  public string Labels(uint noun) {
    var no = IntPtr.Zero;
    Check(rm_about(mill, noun, no, no, no, out IntPtr labels, out UIntPtr size));
    var bytes = new byte[(int)size];
    Marshal.Copy(labels, bytes, 0, bytes.Length);
    return UTF8.GetString(bytes);
  }
  public uint Width(uint noun) => rm_width(mill, noun);
  public bool HasQuantities(uint noun) => rm_has_quantities(mill, noun) != 0;

  public ulong Key(uint noun) => rm_noun_key(mill, noun);
  /// <summary>The key of `fork(id)` of JavaScript: of a text, a whole number, or two of them.</summary>
  public ulong Fork(ulong key, string id) => Check(rm_fork_text(mill, key, UTF8.GetBytes(id), Bytes(id), out key), key);
  public ulong Fork(ulong key, long id) => Check(rm_fork_integer(mill, key, id, out key), key);
  public ulong Fork(ulong key, int first, int second) => Check(rm_fork_pair(mill, key, first, second, out key), key);

  /// <summary>Makes the results from … from + count − 1, and their quantities if they have an array.</summary>
  public uint[] Many(uint noun, ulong key, ulong from, int count, int[] quantities = null) {
    var results = new uint[checked(count * (long)Width(noun))];
    if (quantities != null && quantities.Length < results.Length) throw new ArgumentException("too few quantities");
    Check(rm_many(mill, noun, key, from, Size(count), results, quantities));
    return results;
  }
  /// <summary>Draws records from a pool, by its number. Returns fewer if the pool has nothing left.</summary>
  public uint[] Draw(uint family, uint pool, ulong key, int count) {
    var records = new uint[count];
    Check(rm_draw(mill, family, pool, key, Size(count), records, out UIntPtr drawn));
    Array.Resize(ref records, (int)drawn);
    return records;
  }

  public byte[] Save() {
    var state = new byte[(int)rm_state_bytes(mill)];
    Check(rm_state_save(mill, state, Size(state.Length)));
    return state;
  }
  public void Load(byte[] state) => Check(rm_state_load(mill, state, Size(state.Length)));

  static UIntPtr Size(int bytes) => checked((UIntPtr)bytes);
  static UIntPtr Bytes(string text) => Size(UTF8.GetByteCount(text));
  static void Check(int status) {
    if (status == 0 || status == 6) return; // 6: nothing is left to draw
    throw new RollmillException(status, Marshal.PtrToStringAnsi(rm_error(status)));
  }
  static T Check<T>(int status, T result) {
    Check(status);
    return result;
  }

  sealed class Handle : SafeHandle { // a call with a closed one throws
    Handle() : base(IntPtr.Zero, true) { }
    public override bool IsInvalid => handle == IntPtr.Zero;
    protected override bool ReleaseHandle() { rm_close(handle); return true; }
  }

  const string Lib = "rollmill";
  [DllImport(Lib)] static extern IntPtr rm_error(int status);
  [DllImport(Lib)] static extern int rm_open(byte[] plan, UIntPtr bytes, byte[] seed, UIntPtr length, out Handle mill);
  [DllImport(Lib)] static extern void rm_close(IntPtr mill);
  [DllImport(Lib)] static extern uint rm_count(Handle mill);
  [DllImport(Lib)] static extern int rm_find(Handle mill, byte[] name, UIntPtr bytes, out uint noun);
  [DllImport(Lib)] static extern int rm_about(Handle mill, uint noun, IntPtr kind, IntPtr name, IntPtr nameBytes,
                                              out IntPtr labels, out UIntPtr labelsBytes);
  [DllImport(Lib)] static extern ulong rm_noun_key(Handle mill, uint noun);
  [DllImport(Lib)] static extern int rm_fork_text(Handle mill, ulong parent, byte[] id, UIntPtr bytes, out ulong key);
  [DllImport(Lib)] static extern int rm_fork_integer(Handle mill, ulong parent, long id, out ulong key);
  [DllImport(Lib)] static extern int rm_fork_pair(Handle mill, ulong parent, int first, int second, out ulong key);
  [DllImport(Lib)] static extern uint rm_width(Handle mill, uint noun);
  [DllImport(Lib)] static extern int rm_has_quantities(Handle mill, uint noun);
  [DllImport(Lib)] static extern int rm_many(Handle mill, uint noun, ulong key, ulong from, UIntPtr count,
                                             [Out] uint[] results, [Out] int[] quantities);
  [DllImport(Lib)] static extern int rm_draw(Handle mill, uint family, uint pool, ulong key, UIntPtr count,
                                             [Out] uint[] records, out UIntPtr drawn);
  [DllImport(Lib)] static extern UIntPtr rm_state_bytes(Handle mill);
  [DllImport(Lib)] static extern int rm_state_save(Handle mill, [Out] byte[] state, UIntPtr bytes);
  [DllImport(Lib)] static extern int rm_state_load(Handle mill, byte[] state, UIntPtr bytes);
}
