//! Does what ../c/example.c does: example game.plan moria
mod rollmill;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<String> = std::env::args().collect();
    let mill = rollmill::Mill::open(&std::fs::read(&given[1])?, &given[2])?;
    let (loot, pools) = (mill.find("loot")?, mill.find("pools")?);

    let player = mill.fork_text(mill.key(loot), "player/7")?;
    let mut quantities = [0; 5];
    let rolls = mill.many(loot, player, 0, 5, Some(&mut quantities))?;
    for (roll, quantity) in rolls.iter().zip(quantities) {
        println!("roll {roll} x {quantity}");
    }

    let state = mill.save()?;
    let first = mill.draw(pools, 0, mill.key(pools), 3)?;
    mill.load(&state)?;
    let again = mill.draw(pools, 0, mill.key(pools), 3)?;
    for (first, again) in first.iter().zip(again) {
        println!("draw {first}, again {again}");
    }

    let all = mill.many(loot, mill.key(loot), 0, 1_000_000, None)?;
    let digest = all.iter().fold(2166136261u32, |digest, roll| (digest ^ roll).wrapping_mul(16777619)); // FNV-1a
    println!("digest {digest:08x}");
    Ok(())
}
