module conformance

go 1.24

require github.com/kaitai-io/kaitai_struct_go_runtime v0.11.0

require golang.org/x/text v0.28.0 // indirect
