using System;
using System.IO;

/// <summary>What check.py does, in C#.</summary>
static class Check {
  static readonly Stream Out = Console.OpenStandardOutput();

  static void Put(Array numbers) {
    var bytes = new byte[Buffer.ByteLength(numbers)];
    Buffer.BlockCopy(numbers, 0, bytes, 0, bytes.Length);
    Out.Write(bytes, 0, bytes.Length);
  }

  static RollmillException Refused(Action call) {
    try {
      call();
    } catch (RollmillException refusal) {
      return refusal;
    }
    return null;
  }

  static void Main(string[] given) {
    var mill = new Rollmill(File.ReadAllBytes(given[0]), given[1]);
    for (uint noun = 0; noun < mill.Count; noun++) {
      int width = (int)mill.Width(noun), n = int.Parse(given[2]) / Math.Max(1, width) + 1;
      var key = mill.Key(noun);
      var quantities = mill.HasQuantities(noun) ? new int[n * width] : null;
      if (width > 0) Put(mill.Many(noun, key, 1000, n, quantities));
      if (quantities != null) Put(quantities);
      RollmillException refusal = null;
      for (uint pool = 0; width == 0 && refusal == null; pool++) {
        refusal = Refused(() => Put(mill.Draw(noun, pool, key, n)));
      }
      if (refusal != null && refusal.Status != 11) throw refusal;
    }
    uint hp = mill.Find("hp"), bag = mill.Find("bag");
    var fork = mill.Fork(mill.Fork(mill.Fork(mill.Key(hp), "é/7"), -5), -1, 2);
    Console.Error.WriteLine(string.Join(" ", mill.Many(hp, fork, 0, 5)));
    var state = mill.Save();
    Console.Error.WriteLine(string.Join(" ", mill.Draw(bag, 1, mill.Key(bag), 9)));
    mill.Load(state);
    Console.Error.WriteLine(string.Join(" ", mill.Draw(bag, 1, mill.Key(bag), 9)));
    Console.Error.WriteLine(mill.Labels(mill.Find("chest")));
    state[0] = (byte)'x';
    Console.Error.WriteLine(Refused(() => mill.Load(state)).Message);
    Console.Error.WriteLine(Refused(() => mill.Find("nothing")).Message);
    mill.Dispose();
    try {
      Console.Error.WriteLine(mill.Count);
    } catch (ObjectDisposedException) { }
  }
}
