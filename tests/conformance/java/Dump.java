import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import gguf.Gguf;
import io.kaitai.struct.ByteBufferKaitaiStream;
import io.kaitai.struct.KaitaiStruct;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints GGUF files as canonical JSON, using only the generated parser: java Dump FILE...
 *
 * <p>The errors of files that cannot be read go to stderr.
 */
public final class Dump {
    private record Document(int version, String byte_order, long alignment, long data_offset, List<?> metadata,
            List<Tensor> tensors) {}

    private record KeyValue(Object key, String type, Object value) {}

    private record KeyArray(Object key, String type, String element_type, long count, List<?> value) {}

    private record Array(String element_type, long count, List<?> value) {}

    private record Tensor(Object name, List<BigInteger> dims, String type, long type_id, BigInteger offset,
            BigInteger nbytes) {}

    private record TensorType(long id, String name, long num_elements, long size) {}

    /** The runtime allocates as many bytes as a file claims; this class first checks that they exist. */
    private static final class BoundedStream extends ByteBufferKaitaiStream {
        BoundedStream(String path) throws IOException {
            super(path);
        }

        @Override
        protected byte[] readBytesNotAligned(long size) {
            if (size > size() - pos()) {
                throw new BufferUnderflowException();
            }
            return super.readBytesNotAligned(size);
        }
    }

    private static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    private final Gguf gguf;
    private final ByteOrder byteOrder;
    private final Map<Long, TensorType> tensorTypes;

    private Dump(Gguf gguf) {
        this.gguf = gguf;
        byteOrder = gguf.isBe() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        var json = new InputStreamReader(Dump.class.getResourceAsStream("/types.json"), StandardCharsets.UTF_8);
        tensorTypes = Arrays.stream(GSON.fromJson(json, TensorType[].class))
                .collect(Collectors.toMap(TensorType::id, Function.identity()));
    }

    public static void main(String[] paths) {
        int status = 0;
        for (String path : paths) {
            try {
                Gguf gguf = new Gguf(new BoundedStream(path));
                String json = GSON.toJson(new Dump(gguf).document()) + "\n";
                System.out.writeBytes(json.getBytes(StandardCharsets.UTF_8));
            } catch (Exception e) {
                System.err.println(path + ": " + e);
                status = 1;
            }
        }
        System.exit(status);
    }

    private Document document() {
        return new Document(
                gguf.version(),
                gguf.isBe() ? "big" : "little",
                gguf.body().alignment(),
                gguf.body().ofsTensorData(),
                gguf.body().metadata().stream().map(this::keyValue).toList(),
                gguf.body().tensors().stream().map(this::tensor).toList());
    }

    private Object keyValue(Gguf.KeyValue entry) {
        Object key = text(entry.key());
        String type = name(entry.valueType());
        return value(entry) instanceof Array array
                ? new KeyArray(key, type, array.element_type, array.count, array.value)
                : new KeyValue(key, type, value(entry));
    }

    private Object value(Gguf.KeyValue entry) {
        KaitaiStruct value = entry.value();
        return switch (entry.valueType()) {
            case UINT8 -> ((Gguf.ValueU1) value).value();
            case INT8 -> ((Gguf.ValueS1) value).value();
            case UINT16 -> ((Gguf.ValueU2) value).value();
            case INT16 -> ((Gguf.ValueS2) value).value();
            case UINT32 -> ((Gguf.ValueU4) value).value();
            case INT32 -> ((Gguf.ValueS4) value).value();
            case UINT64 -> unsigned(((Gguf.ValueU8) value).value());
            case INT64 -> ((Gguf.ValueS8) value).value();
            case FLOAT32 -> number(((Gguf.ValueF4) value).value());
            case FLOAT64 -> number(((Gguf.ValueF8) value).value());
            case BOOL -> ((Gguf.ValueU1) value).value() != 0;
            case STRING -> text((Gguf.GgufString) value);
            case ARRAY -> array((Gguf.GgufArray) value);
        };
    }

    private Array array(Gguf.GgufArray parsed) {
        KaitaiStruct elements = parsed.elements();
        List<?> value = switch (parsed.elementType()) {
            case UINT8, INT8, BOOL -> numbers(parsed, ((Gguf.Elements1) elements).data());
            case UINT16, INT16 -> numbers(parsed, ((Gguf.Elements2) elements).data());
            case UINT32, INT32, FLOAT32 -> numbers(parsed, ((Gguf.Elements4) elements).data());
            case UINT64, INT64, FLOAT64 -> numbers(parsed, ((Gguf.Elements8) elements).data());
            case STRING -> ((Gguf.StringElements) elements).items().stream().map(Dump::text).toList();
            case ARRAY -> ((Gguf.ArrayElements) elements).items().stream().map(this::array).toList();
        };
        return new Array(name(parsed.elementType()), parsed.numElements().value(), value);
    }

    private List<?> numbers(Gguf.GgufArray parsed, byte[] data) {
        ByteBuffer buffer = ByteBuffer.wrap(data).order(byteOrder);
        return Stream.generate(() -> next(parsed.elementType(), buffer)).limit(parsed.numElements().value()).toList();
    }

    private static Object next(Gguf.ValueType type, ByteBuffer buffer) {
        return switch (type) {
            case UINT8 -> Byte.toUnsignedInt(buffer.get());
            case INT8 -> buffer.get();
            case UINT16 -> Short.toUnsignedInt(buffer.getShort());
            case INT16 -> buffer.getShort();
            case UINT32 -> Integer.toUnsignedLong(buffer.getInt());
            case INT32 -> buffer.getInt();
            case UINT64 -> unsigned(buffer.getLong());
            case INT64 -> buffer.getLong();
            case FLOAT32 -> number(buffer.getFloat());
            case FLOAT64 -> number(buffer.getDouble());
            case BOOL -> buffer.get() != 0;
            case STRING, ARRAY -> throw new IllegalArgumentException("not a number: " + type);
        };
    }

    private Tensor tensor(Gguf.TensorInfo info) {
        List<BigInteger> dims = info.dims().stream().map(dim -> unsigned(dim.value())).toList();
        TensorType type = tensorTypes.get(info.typeId());
        return new Tensor(
                text(info.name()),
                dims,
                type == null ? null : type.name,
                info.typeId(),
                unsigned(info.ofsData()),
                type == null ? null : numBytes(dims, type));
    }

    private static BigInteger numBytes(List<BigInteger> dims, TensorType type) {
        return dims.stream().reduce(BigInteger.ONE, BigInteger::multiply)
                .divide(BigInteger.valueOf(type.num_elements))
                .multiply(BigInteger.valueOf(type.size));
    }

    private static String name(Gguf.ValueType type) {
        return type.name().toLowerCase(Locale.ROOT);
    }

    private static Object text(Gguf.GgufString string) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(string.data())).toString();
        } catch (CharacterCodingException e) {
            return Map.of("base64", Base64.getEncoder().encodeToString(string.data()));
        }
    }

    /** Java has no unsigned 64-bit integers; the runtime returns signed ones with the same bits. */
    private static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    private static Object number(double value) {
        return Double.isFinite(value) ? value : Double.toString(value);
    }

    /** Returns the decimal with the fewest digits that equals this value when rounded to a float. */
    private static Object number(float value) {
        if (value == 0 || !Float.isFinite(value)) {
            return number((double) value);
        }
        BigDecimal exact = new BigDecimal(value);
        return Stream.iterate(1, digits -> digits + 1)
                .map(digits -> exact.round(new MathContext(digits)))
                .filter(decimal -> decimal.floatValue() == value)
                .findFirst().orElseThrow();
    }
}
