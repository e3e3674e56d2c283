// Command memory prints what gguf-parser-go says that llama.cpp needs: for each file and context, bytes of weights, KV
// cache and computation.
package main

import (
	"fmt"
	"os"
	"strconv"

	parser "github.com/gpustack/gguf-parser-go"
)

func main() {
	for _, path := range os.Args[2:] {
		file, err := parser.ParseGGUFFile(path, parser.SkipLargeMetadata(), parser.UseMMap())
		if err != nil {
			continue
		}
		size, _ := strconv.Atoi(os.Args[1])
		estimate := file.EstimateLLaMACppRun(
			parser.WithLLaMACppContextSize(int32(size)),
			parser.WithLLaMACppLogicalBatchSize(2048),
			parser.WithLLaMACppPhysicalBatchSize(512),
			parser.WithLLaMACppOffloadLayers(0),
			parser.WithFlashAttention(),
		)
		var weights, cache, computation parser.GGUFBytesScalar
		for _, device := range estimate.Devices {
			weights += device.Weight.Sum()
			cache += device.KVCache.Sum()
			computation += device.Computation.Sum()
		}
		fmt.Printf("%s\t%d\t%d\t%d\n", path, weights, cache, computation)
	}
}
