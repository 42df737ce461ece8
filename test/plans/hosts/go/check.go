//go:build ignore

// What check.py does, in Go.
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"

	"game/rollmill"
)

func must[T any](result T, err error) T {
	if err != nil {
		panic(err)
	}
	return result
}

func say(numbers []uint32) {
	fmt.Fprintln(os.Stderr, strings.Trim(fmt.Sprint(numbers), "[]"))
}

func main() {
	mill := must(rollmill.Open(must(os.ReadFile(os.Args[1])), os.Args[2]))
	count := must(strconv.Atoi(os.Args[3]))
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	put := func(numbers any) { must(0, binary.Write(out, binary.LittleEndian, numbers)) }
	for noun := uint32(0); noun < mill.Count(); noun++ {
		width, key := mill.Width(noun), mill.Key(noun)
		if width > 0 {
			n := count/width + 1
			var quantities []int32
			if mill.HasQuantities(noun) {
				quantities = make([]int32, n*width)
			}
			put(must(mill.Many(noun, key, 1000, n, quantities)))
			put(quantities)
			continue
		}
		for pool := uint32(0); ; pool++ {
			records, err := mill.Draw(noun, pool, key, count+1)
			if err == rollmill.Error(11) {
				break
			}
			put(must(records, err))
		}
	}
	out.Flush()
	hp, bag := must(mill.Find("hp")), must(mill.Find("bag"))
	fork := must(mill.ForkInteger(must(mill.ForkText(mill.Key(hp), "é/7")), -5))
	say(must(mill.Many(hp, must(mill.ForkPair(fork, -1, 2)), 0, 5, nil)))
	state := must(mill.Save())
	say(must(mill.Draw(bag, 1, mill.Key(bag), 9)))
	must(0, mill.Load(state))
	say(must(mill.Draw(bag, 1, mill.Key(bag), 9)))
	fmt.Fprintln(os.Stderr, must(mill.Labels(must(mill.Find("chest")))))
	state[0] = 'x'
	fmt.Fprintln(os.Stderr, mill.Load(state))
	_, err := mill.Find("nothing")
	fmt.Fprintln(os.Stderr, err)
	mill.Close()
	defer func() {
		if recover() == nil {
			fmt.Fprintln(os.Stderr, "a closed mill counts")
		}
	}()
	mill.Count()
}
