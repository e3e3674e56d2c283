package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"example/gguf"

	"github.com/kaitai-io/kaitai_struct_go_runtime/kaitai"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	stream := kaitai.NewStream(must(os.Open(os.Args[1])))
	file := gguf.NewGguf()
	if err := file.Read(stream, nil, file); err != nil {
		panic(err)
	}
	var types []struct {
		ID          uint32
		Name        string
		NumElements uint64 `json:"num_elements"`
		Size        uint64
	}
	if err := json.Unmarshal(must(os.ReadFile(os.Args[2])), &types); err != nil {
		panic(err)
	}
	if len(file.Body.Tensors) == 0 {
		fmt.Println("no tensors")
		return
	}
	tensor := file.Body.Tensors[0]
	for _, kind := range types {
		if kind.ID == tensor.TypeId {
			elements, shape := uint64(1), []uint64{}
			for _, dim := range tensor.Dims {
				elements *= must(dim.Value())
				shape = append(shape, must(dim.Value()))
			}
			slices.Reverse(shape)
			must(stream.Seek(must(file.Body.OfsTensorData())+int64(tensor.OfsData), 0))
			data := must(stream.ReadBytes(int(elements / kind.NumElements * kind.Size)))
			printed := strings.ReplaceAll(fmt.Sprint(shape), " ", ", ")
			fmt.Println(must(tensor.Name.Value()), kind.Name, printed, len(data), fmt.Sprintf("%x", data[:min(8, len(data))]))
		}
	}
}
