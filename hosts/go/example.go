//go:build ignore

// Does what ../c/example.c does: go run example.go game.plan moria
package main

import (
	"fmt"
	"os"

	"game/rollmill"
)

func must[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

func main() {
	mill := must(rollmill.Open(must(os.ReadFile(os.Args[1])), os.Args[2]))
	defer mill.Close()
	loot, pools := must(mill.Find("loot")), must(mill.Find("pools"))

	player := must(mill.ForkText(mill.Key(loot), "player/7"))
	quantities := make([]int32, 5)
	rolls := must(mill.Many(loot, player, 0, 5, quantities))
	for k, roll := range rolls {
		fmt.Println("roll", roll, "x", quantities[k])
	}

	state := must(mill.Save())
	first := must(mill.Draw(pools, 0, mill.Key(pools), 3))
	must(0, mill.Load(state))
	again := must(mill.Draw(pools, 0, mill.Key(pools), 3))
	for k := range first {
		fmt.Printf("draw %d, again %d\n", first[k], again[k])
	}

	digest := uint32(2166136261) // FNV-1a
	for _, roll := range must(mill.Many(loot, mill.Key(loot), 0, 1_000_000, nil)) {
		digest = (digest ^ roll) * 16777619
	}
	fmt.Printf("digest %08x\n", digest)
}
