import java.nio.file.*;

/** Does what ../c/example.c does: java Example game.plan moria */
public class Example {
  public static void main(String[] arguments) throws Exception {
    try (Rollmill mill = new Rollmill(Files.readAllBytes(Path.of(arguments[0])), arguments[1])) {
      int loot = mill.find("loot"), pools = mill.find("pools");
      long player = mill.fork(mill.key(loot), "player/7");
      int[] quantities = new int[5];
      int[] rolls = mill.many(loot, player, 0, 5, quantities);
      for (int k = 0; k < 5; k++) System.out.println("roll " + rolls[k] + " x " + quantities[k]);

      byte[] state = mill.save();
      int[] first = mill.draw(pools, 0, mill.key(pools), 3);
      mill.load(state);
      int[] again = mill.draw(pools, 0, mill.key(pools), 3);
      for (int k = 0; k < 3; k++) System.out.println("draw " + first[k] + ", again " + again[k]);

      int digest = (int) 2166136261L; // FNV-1a
      for (int roll : mill.many(loot, mill.key(loot), 0, 1000000, null)) digest = (digest ^ roll) * 16777619;
      System.out.println("digest " + Integer.toHexString(digest));
    }
  }
}
