//! What check.py does, in Rust.
use std::io::Write;
mod rollmill;

fn put(numbers: impl IntoIterator<Item = u32>) -> std::io::Result<()> {
    let bytes: Vec<u8> = numbers.into_iter().flat_map(u32::to_le_bytes).collect();
    std::io::stdout().write_all(&bytes)
}

fn say(numbers: &[u32]) {
    eprintln!("{}", numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(" "));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<String> = std::env::args().collect();
    let mill = rollmill::Mill::open(&std::fs::read(&given[1])?, &given[2])?;
    let count: usize = given[3].parse()?;
    for noun in 0..mill.count() {
        let (width, key) = (mill.width(noun), mill.key(noun));
        if width > 0 {
            let n = count / width + 1;
            let mut quantities = if mill.has_quantities(noun) { Some(vec![0; n * width]) } else { None };
            put(mill.many(noun, key, 1000, n, quantities.as_deref_mut())?)?;
            put(quantities.into_iter().flatten().map(|one| one as u32))?;
            continue;
        }
        for pool in 0.. {
            match mill.draw(noun, pool, key, count + 1) {
                Err(rollmill::Error(11)) => break,
                records => put(records?)?,
            }
        }
    }
    let (hp, bag) = (mill.find("hp")?, mill.find("bag")?);
    let fork = mill.fork_pair(mill.fork_integer(mill.fork_text(mill.key(hp), "é/7")?, -5)?, -1, 2)?;
    say(&mill.many(hp, fork, 0, 5, None)?);
    let mut state = mill.save()?;
    say(&mill.draw(bag, 1, mill.key(bag), 9)?);
    mill.load(&state)?;
    say(&mill.draw(bag, 1, mill.key(bag), 9)?);
    eprintln!("{}", String::from_utf8_lossy(mill.labels(mill.find("chest")?)?));
    state[0] = b'x';
    eprintln!("{}", mill.load(&state).unwrap_err());
    eprintln!("{}", mill.find("nothing").unwrap_err());
    Ok(())
}
