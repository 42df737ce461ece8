using System;
using System.IO;

/// <summary>Does what ../c/example.c does: mono Example.exe game.plan moria</summary>
static class Example {
  static void Main(string[] arguments) {
    using (var mill = new Rollmill(File.ReadAllBytes(arguments[0]), arguments[1])) {
      uint loot = mill.Find("loot"), pools = mill.Find("pools");
      ulong player = mill.Fork(mill.Key(loot), "player/7");
      var quantities = new int[5];
      var rolls = mill.Many(loot, player, 0, 5, quantities);
      for (int k = 0; k < 5; k++) Console.WriteLine($"roll {rolls[k]} x {quantities[k]}");

      var state = mill.Save();
      var first = mill.Draw(pools, 0, mill.Key(pools), 3);
      mill.Load(state);
      var again = mill.Draw(pools, 0, mill.Key(pools), 3);
      for (int k = 0; k < 3; k++) Console.WriteLine($"draw {first[k]}, again {again[k]}");

      uint digest = 2166136261; // FNV-1a
      foreach (uint roll in mill.Many(loot, mill.Key(loot), 0, 1000000)) digest = unchecked((digest ^ roll) * 16777619);
      Console.WriteLine($"digest {digest:x8}");
    }
  }
}
