// Prints GGUF files as canonical JSON, using only the generated parser: dump FILE...
// The errors of files that cannot be read go to stderr.
package main

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"unicode/utf8"

	"conformance/gguf"

	"github.com/kaitai-io/kaitai_struct_go_runtime/kaitai"
)

type document struct {
	Version    int        `json:"version"`
	ByteOrder  string     `json:"byte_order"`
	Alignment  int64      `json:"alignment"`
	DataOffset int64      `json:"data_offset"`
	Metadata   []keyValue `json:"metadata"`
	Tensors    []tensor   `json:"tensors"`
}

type keyValue struct {
	Key  any    `json:"key"`
	Type string `json:"type"`
	*array
	Value any `json:"value"`
}

type array struct {
	ElementType string `json:"element_type"`
	Count       uint64 `json:"count"`
	Value       []any  `json:"value"`
}

type tensor struct {
	Name   any      `json:"name"`
	Dims   []uint64 `json:"dims"`
	Type   *string  `json:"type"`
	TypeID uint32   `json:"type_id"`
	Offset uint64   `json:"offset"`
	NBytes *big.Int `json:"nbytes"`
}

//go:embed types.json
var typesJSON []byte

type tensorType struct {
	ID          uint32
	Name        string
	NumElements int64 `json:"num_elements"`
	Size        int64
}

// The names of value types and, for arrays of numbers, how to decode them.
var valueTypes = map[gguf.Gguf_ValueType]struct {
	name   string
	decode func([]byte, binary.ByteOrder) []any
}{
	gguf.Gguf_ValueType__Uint8:   {"uint8", decode[uint8]},
	gguf.Gguf_ValueType__Int8:    {"int8", decode[int8]},
	gguf.Gguf_ValueType__Uint16:  {"uint16", decode[uint16]},
	gguf.Gguf_ValueType__Int16:   {"int16", decode[int16]},
	gguf.Gguf_ValueType__Uint32:  {"uint32", decode[uint32]},
	gguf.Gguf_ValueType__Int32:   {"int32", decode[int32]},
	gguf.Gguf_ValueType__Float32: {"float32", decode[float32]},
	gguf.Gguf_ValueType__Bool:    {"bool", decode[bool]},
	gguf.Gguf_ValueType__String:  {"string", nil},
	gguf.Gguf_ValueType__Array:   {"array", nil},
	gguf.Gguf_ValueType__Uint64:  {"uint64", decode[uint64]},
	gguf.Gguf_ValueType__Int64:   {"int64", decode[int64]},
	gguf.Gguf_ValueType__Float64: {"float64", decode[float64]},
}

// Instances of generated types also return an error, because some of them read from the stream.
func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func describe(file *gguf.Gguf, types map[uint32]tensorType) document {
	byteOrder, name := binary.ByteOrder(binary.LittleEndian), "little"
	if must(file.IsBe()) {
		byteOrder, name = binary.BigEndian, "big"
	}
	described := document{
		Version:    must(file.Version()),
		ByteOrder:  name,
		Alignment:  must(file.Body.Alignment()),
		DataOffset: must(file.Body.OfsTensorData()),
		Metadata:   []keyValue{},
		Tensors:    []tensor{},
	}
	for _, entry := range file.Body.Metadata {
		described.Metadata = append(described.Metadata, describeKeyValue(entry, byteOrder))
	}
	for _, info := range file.Body.Tensors {
		described.Tensors = append(described.Tensors, describeTensor(info, types))
	}
	return described
}

func describeKeyValue(entry *gguf.Gguf_KeyValue, byteOrder binary.ByteOrder) keyValue {
	described := keyValue{Key: text(entry.Key), Type: valueTypes[entry.ValueType].name}
	switch value := entry.Value.(type) {
	case *gguf.Gguf_GgufString:
		described.Value = text(value)
	case *gguf.Gguf_GgufArray:
		described.array = describeArray(value, byteOrder)
		described.Value = described.array.Value
	default:
		described.Value = number(field(value, "Value"))
		if entry.ValueType == gguf.Gguf_ValueType__Bool {
			described.Value = described.Value != uint8(0)
		}
	}
	return described
}

func describeArray(parsed *gguf.Gguf_GgufArray, byteOrder binary.ByteOrder) *array {
	elementType := valueTypes[parsed.ElementType]
	described := &array{elementType.name, must(parsed.NumElements.Value()), []any{}}
	switch elements := parsed.Elements.(type) {
	case *gguf.Gguf_StringElements:
		for _, item := range elements.Items {
			described.Value = append(described.Value, text(item))
		}
	case *gguf.Gguf_ArrayElements:
		for _, item := range elements.Items {
			described.Value = append(described.Value, describeArray(item, byteOrder))
		}
	default:
		described.Value = elementType.decode(field(elements, "Data").([]byte), byteOrder)
	}
	return described
}

// Numbers and arrays of numbers have the same fields, but no common interface.
func field(parsed any, name string) any {
	return reflect.ValueOf(parsed).Elem().FieldByName(name).Interface()
}

func decode[T any](data []byte, byteOrder binary.ByteOrder) []any {
	values := make([]T, len(data)/binary.Size(*new(T)))
	must(binary.Decode(data, byteOrder, values))
	items := make([]any, len(values))
	for i, value := range values {
		items[i] = number(value)
	}
	return items
}

// JSON has no NaN or infinities, and many readers parse "-0" as an integer.
func number(value any) any {
	bits, wide := 64, 0.0
	switch value := value.(type) {
	case float32:
		bits, wide = 32, float64(value)
	case float64:
		wide = value
	default:
		return value
	}
	switch {
	case math.IsNaN(wide):
		return "NaN"
	case math.IsInf(wide, 1):
		return "Infinity"
	case math.IsInf(wide, -1):
		return "-Infinity"
	case wide == 0 && math.Signbit(wide):
		return json.RawMessage("-0.0")
	}
	return json.RawMessage(strconv.FormatFloat(wide, 'g', -1, bits))
}

func text(parsed *gguf.Gguf_GgufString) any {
	if utf8.Valid(parsed.Data) {
		return string(parsed.Data)
	}
	return map[string][]byte{"base64": parsed.Data}
}

func describeTensor(info *gguf.Gguf_TensorInfo, types map[uint32]tensorType) tensor {
	described := tensor{Name: text(info.Name), Dims: []uint64{}, TypeID: info.TypeId, Offset: info.OfsData}
	numElements := big.NewInt(1)
	for _, dim := range info.Dims {
		described.Dims = append(described.Dims, must(dim.Value()))
		numElements.Mul(numElements, new(big.Int).SetUint64(must(dim.Value())))
	}
	if known, ok := types[info.TypeId]; ok {
		described.Type = &known.Name
		numBlocks := numElements.Div(numElements, big.NewInt(known.NumElements))
		described.NBytes = numBlocks.Mul(numBlocks, big.NewInt(known.Size))
	}
	return described
}

func readTypes() map[uint32]tensorType {
	var entries []tensorType
	check(json.Unmarshal(typesJSON, &entries))
	types := map[uint32]tensorType{}
	for _, entry := range entries {
		types[entry.ID] = entry
	}
	return types
}

func dump(path string) (err error) {
	defer func() {
		if thrown := recover(); thrown != nil {
			err = fmt.Errorf("%v", thrown)
		}
	}()
	stream := kaitai.NewStream(bytes.NewReader(must(os.ReadFile(path))))
	file := gguf.NewGguf()
	check(file.Read(stream, nil, file))
	return json.NewEncoder(os.Stdout).Encode(describe(file, readTypes()))
}

func main() {
	status := 0
	for _, path := range os.Args[1:] {
		if err := dump(path); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
			status = 1
		}
		runtime.GC() // frees what the parser allocated for sizes that the file only claims
	}
	os.Exit(status)
}
