# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

use strict;
use warnings;
use IO::KaitaiStruct 0.011_000;
use Encode;

########################################################################
package Gguf;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

our $GGML_TYPE_F32 = 0;
our $GGML_TYPE_F16 = 1;
our $GGML_TYPE_Q4_0 = 2;
our $GGML_TYPE_Q4_1 = 3;
our $GGML_TYPE_Q5_0 = 6;
our $GGML_TYPE_Q5_1 = 7;
our $GGML_TYPE_Q8_0 = 8;
our $GGML_TYPE_Q8_1 = 9;
our $GGML_TYPE_Q2_K = 10;
our $GGML_TYPE_Q3_K = 11;
our $GGML_TYPE_Q4_K = 12;
our $GGML_TYPE_Q5_K = 13;
our $GGML_TYPE_Q6_K = 14;
our $GGML_TYPE_Q8_K = 15;
our $GGML_TYPE_IQ2_XXS = 16;
our $GGML_TYPE_IQ2_XS = 17;
our $GGML_TYPE_IQ3_XXS = 18;
our $GGML_TYPE_IQ1_S = 19;
our $GGML_TYPE_IQ4_NL = 20;
our $GGML_TYPE_IQ3_S = 21;
our $GGML_TYPE_IQ2_S = 22;
our $GGML_TYPE_IQ4_XS = 23;
our $GGML_TYPE_I8 = 24;
our $GGML_TYPE_I16 = 25;
our $GGML_TYPE_I32 = 26;
our $GGML_TYPE_I64 = 27;
our $GGML_TYPE_F64 = 28;
our $GGML_TYPE_IQ1_M = 29;
our $GGML_TYPE_BF16 = 30;
our $GGML_TYPE_TQ1_0 = 34;
our $GGML_TYPE_TQ2_0 = 35;
our $GGML_TYPE_MXFP4 = 39;
our $GGML_TYPE_NVFP4 = 40;
our $GGML_TYPE_Q1_0 = 41;
our $GGML_TYPE_Q2_0 = 42;

our $VALUE_TYPE_UINT8 = 0;
our $VALUE_TYPE_INT8 = 1;
our $VALUE_TYPE_UINT16 = 2;
our $VALUE_TYPE_INT16 = 3;
our $VALUE_TYPE_UINT32 = 4;
our $VALUE_TYPE_INT32 = 5;
our $VALUE_TYPE_FLOAT32 = 6;
our $VALUE_TYPE_BOOL = 7;
our $VALUE_TYPE_STRING = 8;
our $VALUE_TYPE_ARRAY = 9;
our $VALUE_TYPE_UINT64 = 10;
our $VALUE_TYPE_INT64 = 11;
our $VALUE_TYPE_FLOAT64 = 12;

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root || $self;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{magic} = $self->{_io}->read_bytes(4);
    $self->{body} = Gguf::GgufBody->new($self->{_io}, $self, $self->{_root});
}

sub is_be {
    my ($self) = @_;
    return $self->{is_be} if ($self->{is_be});
    $self->{is_be} = ($self->version_le() & 65535) == 0;
    return $self->{is_be};
}

sub version {
    my ($self) = @_;
    return $self->{version} if ($self->{version});
    $self->{version} = ($self->is_be() ? $self->version_be() : $self->version_le());
    return $self->{version};
}

sub version_be {
    my ($self) = @_;
    return $self->{version_be} if ($self->{version_be});
    my $_pos = $self->{_io}->pos();
    $self->{_io}->seek(4);
    $self->{version_be} = $self->{_io}->read_u4be();
    $self->{_io}->seek($_pos);
    return $self->{version_be};
}

sub version_le {
    my ($self) = @_;
    return $self->{version_le} if ($self->{version_le});
    my $_pos = $self->{_io}->pos();
    $self->{_io}->seek(4);
    $self->{version_le} = $self->{_io}->read_u4le();
    $self->{_io}->seek($_pos);
    return $self->{version_le};
}

sub magic {
    my ($self) = @_;
    return $self->{magic};
}

sub body {
    my ($self) = @_;
    return $self->{body};
}

########################################################################
package Gguf::ArrayElements;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{items} = [];
    my $n_items = $self->_parent()->num_elements()->as_int();
    for (my $i = 0; $i < $n_items; $i++) {
        push @{$self->{items}}, Gguf::GgufArray->new($self->{_io}, $self, $self->{_root});
    }
}

sub items {
    my ($self) = @_;
    return $self->{items};
}

########################################################################
package Gguf::Dim;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    my $_on = $self->_root()->is_be();
    if ($_on == 1) {
        $self->{_is_le} = 0;
    }
    elsif ($_on == 0) {
        $self->{_is_le} = 1;
    }
    if (!(defined $self->{_is_le})) {
        die "Unable to decide on endianness";
    } elsif ($self->{_is_le}) {
        $self->_read_le();
    } else {
        $self->_read_be();
    }
}

sub _read_le {
    my ($self) = @_;

    if ($self->_root()->version() == 1) {
        $self->{value_u4} = $self->{_io}->read_u4le();
    }
    if ($self->_root()->version() != 1) {
        $self->{value_u8} = $self->{_io}->read_u8le();
    }
}

sub _read_be {
    my ($self) = @_;

    if ($self->_root()->version() == 1) {
        $self->{value_u4} = $self->{_io}->read_u4be();
    }
    if ($self->_root()->version() != 1) {
        $self->{value_u8} = $self->{_io}->read_u8be();
    }
}

sub value {
    my ($self) = @_;
    return $self->{value} if ($self->{value});
    $self->{value} = ($self->_root()->version() == 1 ? $self->value_u4() : $self->value_u8());
    return $self->{value};
}

sub value_u4 {
    my ($self) = @_;
    return $self->{value_u4};
}

sub value_u8 {
    my ($self) = @_;
    return $self->{value_u8};
}

########################################################################
package Gguf::Elements1;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{data} = $self->{_io}->read_bytes($self->_parent()->num_elements()->value());
}

sub data {
    my ($self) = @_;
    return $self->{data};
}

########################################################################
package Gguf::Elements2;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{data} = $self->{_io}->read_bytes($self->_parent()->num_elements()->value() * 2);
}

sub data {
    my ($self) = @_;
    return $self->{data};
}

########################################################################
package Gguf::Elements4;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{data} = $self->{_io}->read_bytes($self->_parent()->num_elements()->value() * 4);
}

sub data {
    my ($self) = @_;
    return $self->{data};
}

########################################################################
package Gguf::Elements8;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{data} = $self->{_io}->read_bytes($self->_parent()->num_elements()->value() * 8);
}

sub data {
    my ($self) = @_;
    return $self->{data};
}

########################################################################
package Gguf::GgufArray;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    my $_on = $self->_root()->is_be();
    if ($_on == 1) {
        $self->{_is_le} = 0;
    }
    elsif ($_on == 0) {
        $self->{_is_le} = 1;
    }
    if (!(defined $self->{_is_le})) {
        die "Unable to decide on endianness";
    } elsif ($self->{_is_le}) {
        $self->_read_le();
    } else {
        $self->_read_be();
    }
}

sub _read_le {
    my ($self) = @_;

    $self->{element_type} = $self->{_io}->read_u4le();
    $self->{num_elements} = Gguf::Length->new($self->{_io}, $self, $self->{_root});
    my $_on = $self->element_type();
    if ($_on == $Gguf::VALUE_TYPE_ARRAY) {
        $self->{elements} = Gguf::ArrayElements->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_BOOL) {
        $self->{elements} = Gguf::Elements1->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_FLOAT32) {
        $self->{elements} = Gguf::Elements4->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_FLOAT64) {
        $self->{elements} = Gguf::Elements8->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT16) {
        $self->{elements} = Gguf::Elements2->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT32) {
        $self->{elements} = Gguf::Elements4->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT64) {
        $self->{elements} = Gguf::Elements8->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT8) {
        $self->{elements} = Gguf::Elements1->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_STRING) {
        $self->{elements} = Gguf::StringElements->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT16) {
        $self->{elements} = Gguf::Elements2->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT32) {
        $self->{elements} = Gguf::Elements4->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT64) {
        $self->{elements} = Gguf::Elements8->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT8) {
        $self->{elements} = Gguf::Elements1->new($self->{_io}, $self, $self->{_root});
    }
}

sub _read_be {
    my ($self) = @_;

    $self->{element_type} = $self->{_io}->read_u4be();
    $self->{num_elements} = Gguf::Length->new($self->{_io}, $self, $self->{_root});
    my $_on = $self->element_type();
    if ($_on == $Gguf::VALUE_TYPE_ARRAY) {
        $self->{elements} = Gguf::ArrayElements->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_BOOL) {
        $self->{elements} = Gguf::Elements1->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_FLOAT32) {
        $self->{elements} = Gguf::Elements4->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_FLOAT64) {
        $self->{elements} = Gguf::Elements8->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT16) {
        $self->{elements} = Gguf::Elements2->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT32) {
        $self->{elements} = Gguf::Elements4->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT64) {
        $self->{elements} = Gguf::Elements8->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT8) {
        $self->{elements} = Gguf::Elements1->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_STRING) {
        $self->{elements} = Gguf::StringElements->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT16) {
        $self->{elements} = Gguf::Elements2->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT32) {
        $self->{elements} = Gguf::Elements4->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT64) {
        $self->{elements} = Gguf::Elements8->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT8) {
        $self->{elements} = Gguf::Elements1->new($self->{_io}, $self, $self->{_root});
    }
}

sub element_type {
    my ($self) = @_;
    return $self->{element_type};
}

sub num_elements {
    my ($self) = @_;
    return $self->{num_elements};
}

sub elements {
    my ($self) = @_;
    return $self->{elements};
}

########################################################################
package Gguf::GgufBody;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    my $_on = $self->_root()->is_be();
    if ($_on == 1) {
        $self->{_is_le} = 0;
    }
    elsif ($_on == 0) {
        $self->{_is_le} = 1;
    }
    if (!(defined $self->{_is_le})) {
        die "Unable to decide on endianness";
    } elsif ($self->{_is_le}) {
        $self->_read_le();
    } else {
        $self->_read_be();
    }
}

sub _read_le {
    my ($self) = @_;

    $self->{version} = $self->{_io}->read_u4le();
    $self->{num_tensors} = Gguf::Length->new($self->{_io}, $self, $self->{_root});
    $self->{num_metadata} = Gguf::Length->new($self->{_io}, $self, $self->{_root});
    $self->{metadata} = [];
    my $n_metadata = $self->num_metadata()->as_int();
    for (my $i = 0; $i < $n_metadata; $i++) {
        push @{$self->{metadata}}, Gguf::KeyValue->new($self->{_io}, $self, $self->{_root});
    }
    $self->{tensors} = [];
    my $n_tensors = $self->num_tensors()->as_int();
    for (my $i = 0; $i < $n_tensors; $i++) {
        push @{$self->{tensors}}, Gguf::TensorInfo->new($self->{_io}, $self, $self->{_root});
    }
    if ($self->len_header() < 0) {
        $self->{header_end} = $self->{_io}->read_bytes(0);
    }
}

sub _read_be {
    my ($self) = @_;

    $self->{version} = $self->{_io}->read_u4be();
    $self->{num_tensors} = Gguf::Length->new($self->{_io}, $self, $self->{_root});
    $self->{num_metadata} = Gguf::Length->new($self->{_io}, $self, $self->{_root});
    $self->{metadata} = [];
    my $n_metadata = $self->num_metadata()->as_int();
    for (my $i = 0; $i < $n_metadata; $i++) {
        push @{$self->{metadata}}, Gguf::KeyValue->new($self->{_io}, $self, $self->{_root});
    }
    $self->{tensors} = [];
    my $n_tensors = $self->num_tensors()->as_int();
    for (my $i = 0; $i < $n_tensors; $i++) {
        push @{$self->{tensors}}, Gguf::TensorInfo->new($self->{_io}, $self, $self->{_root});
    }
    if ($self->len_header() < 0) {
        $self->{header_end} = $self->{_io}->read_bytes(0);
    }
}

sub alignment {
    my ($self) = @_;
    return $self->{alignment} if ($self->{alignment});
    $self->{alignment} = (scalar(@{$self->metadata()}) > 0 ? @{$self->metadata()}[scalar(@{$self->alignment_search()}) - 1]->alignment() : 32);
    return $self->{alignment};
}

sub alignment_search {
    my ($self) = @_;
    return $self->{alignment_search} if ($self->{alignment_search});
    if (scalar(@{$self->metadata()}) > 0) {
        if ($self->{_is_le}) {
            $self->{alignment_search} = [];
            {
                my $_it;
                do {
                    $_it = $self->{_io}->read_bytes(0);
                    push @{$self->{alignment_search}}, $_it;
                } until ( ((@{$self->metadata()}[scalar(@{$self->alignment_search()}) - 1]->is_alignment()) || (scalar(@{$self->alignment_search()}) == scalar(@{$self->metadata()}))) );
            }
        } else {
            $self->{alignment_search} = [];
            {
                my $_it;
                do {
                    $_it = $self->{_io}->read_bytes(0);
                    push @{$self->{alignment_search}}, $_it;
                } until ( ((@{$self->metadata()}[scalar(@{$self->alignment_search()}) - 1]->is_alignment()) || (scalar(@{$self->alignment_search()}) == scalar(@{$self->metadata()}))) );
            }
        }
    }
    return $self->{alignment_search};
}

sub len_header {
    my ($self) = @_;
    return $self->{len_header} if ($self->{len_header});
    $self->{len_header} = $self->_io()->pos();
    return $self->{len_header};
}

sub ofs_tensor_data {
    my ($self) = @_;
    return $self->{ofs_tensor_data} if ($self->{ofs_tensor_data});
    $self->{ofs_tensor_data} = ($self->len_header() + -($self->len_header()) % $self->alignment());
    return $self->{ofs_tensor_data};
}

sub version {
    my ($self) = @_;
    return $self->{version};
}

sub num_tensors {
    my ($self) = @_;
    return $self->{num_tensors};
}

sub num_metadata {
    my ($self) = @_;
    return $self->{num_metadata};
}

sub metadata {
    my ($self) = @_;
    return $self->{metadata};
}

sub tensors {
    my ($self) = @_;
    return $self->{tensors};
}

sub header_end {
    my ($self) = @_;
    return $self->{header_end};
}

########################################################################
package Gguf::GgufString;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{len_data} = Gguf::Length->new($self->{_io}, $self, $self->{_root});
    $self->{data} = $self->{_io}->read_bytes($self->len_data()->value());
}

sub value {
    my ($self) = @_;
    return $self->{value} if ($self->{value});
    $self->{value} = Encode::decode("UTF-8", $self->data());
    return $self->{value};
}

sub len_data {
    my ($self) = @_;
    return $self->{len_data};
}

sub data {
    my ($self) = @_;
    return $self->{data};
}

########################################################################
package Gguf::KeyValue;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    my $_on = $self->_root()->is_be();
    if ($_on == 1) {
        $self->{_is_le} = 0;
    }
    elsif ($_on == 0) {
        $self->{_is_le} = 1;
    }
    if (!(defined $self->{_is_le})) {
        die "Unable to decide on endianness";
    } elsif ($self->{_is_le}) {
        $self->_read_le();
    } else {
        $self->_read_be();
    }
}

sub _read_le {
    my ($self) = @_;

    $self->{key} = Gguf::GgufString->new($self->{_io}, $self, $self->{_root});
    $self->{value_type} = $self->{_io}->read_u4le();
    my $_on = $self->value_type();
    if ($_on == $Gguf::VALUE_TYPE_ARRAY) {
        $self->{value} = Gguf::GgufArray->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_BOOL) {
        $self->{value} = Gguf::ValueU1->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_FLOAT32) {
        $self->{value} = Gguf::ValueF4->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_FLOAT64) {
        $self->{value} = Gguf::ValueF8->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT16) {
        $self->{value} = Gguf::ValueS2->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT32) {
        $self->{value} = Gguf::ValueS4->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT64) {
        $self->{value} = Gguf::ValueS8->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT8) {
        $self->{value} = Gguf::ValueS1->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_STRING) {
        $self->{value} = Gguf::GgufString->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT16) {
        $self->{value} = Gguf::ValueU2->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT32) {
        $self->{value} = Gguf::ValueU4->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT64) {
        $self->{value} = Gguf::ValueU8->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT8) {
        $self->{value} = Gguf::ValueU1->new($self->{_io}, $self, $self->{_root});
    }
}

sub _read_be {
    my ($self) = @_;

    $self->{key} = Gguf::GgufString->new($self->{_io}, $self, $self->{_root});
    $self->{value_type} = $self->{_io}->read_u4be();
    my $_on = $self->value_type();
    if ($_on == $Gguf::VALUE_TYPE_ARRAY) {
        $self->{value} = Gguf::GgufArray->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_BOOL) {
        $self->{value} = Gguf::ValueU1->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_FLOAT32) {
        $self->{value} = Gguf::ValueF4->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_FLOAT64) {
        $self->{value} = Gguf::ValueF8->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT16) {
        $self->{value} = Gguf::ValueS2->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT32) {
        $self->{value} = Gguf::ValueS4->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT64) {
        $self->{value} = Gguf::ValueS8->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_INT8) {
        $self->{value} = Gguf::ValueS1->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_STRING) {
        $self->{value} = Gguf::GgufString->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT16) {
        $self->{value} = Gguf::ValueU2->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT32) {
        $self->{value} = Gguf::ValueU4->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT64) {
        $self->{value} = Gguf::ValueU8->new($self->{_io}, $self, $self->{_root});
    }
    elsif ($_on == $Gguf::VALUE_TYPE_UINT8) {
        $self->{value} = Gguf::ValueU1->new($self->{_io}, $self, $self->{_root});
    }
}

sub alignment {
    my ($self) = @_;
    return $self->{alignment} if ($self->{alignment});
    $self->{alignment} = ($self->is_alignment() ? $self->value()->value() : 32);
    return $self->{alignment};
}

sub is_alignment {
    my ($self) = @_;
    return $self->{is_alignment} if ($self->{is_alignment});
    $self->{is_alignment} =  (($self->value_type() == $Gguf::VALUE_TYPE_UINT32) && ($self->key()->data() eq pack('C*', (103, 101, 110, 101, 114, 97, 108, 46, 97, 108, 105, 103, 110, 109, 101, 110, 116)))) ;
    return $self->{is_alignment};
}

sub key {
    my ($self) = @_;
    return $self->{key};
}

sub value_type {
    my ($self) = @_;
    return $self->{value_type};
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package Gguf::Length;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    my $_on = $self->_root()->is_be();
    if ($_on == 1) {
        $self->{_is_le} = 0;
    }
    elsif ($_on == 0) {
        $self->{_is_le} = 1;
    }
    if (!(defined $self->{_is_le})) {
        die "Unable to decide on endianness";
    } elsif ($self->{_is_le}) {
        $self->_read_le();
    } else {
        $self->_read_be();
    }
}

sub _read_le {
    my ($self) = @_;

    if ($self->_root()->version() == 1) {
        $self->{value_u4} = $self->{_io}->read_u4le();
    }
    if ($self->_root()->version() != 1) {
        $self->{value_u8} = $self->{_io}->read_u8le();
    }
}

sub _read_be {
    my ($self) = @_;

    if ($self->_root()->version() == 1) {
        $self->{value_u4} = $self->{_io}->read_u4be();
    }
    if ($self->_root()->version() != 1) {
        $self->{value_u8} = $self->{_io}->read_u8be();
    }
}

sub as_int {
    my ($self) = @_;
    return $self->{as_int} if ($self->{as_int});
    $self->{as_int} = ($self->_root()->version() == 1 ? $self->value_u4() : $self->value_u8());
    return $self->{as_int};
}

sub value {
    my ($self) = @_;
    return $self->{value} if ($self->{value});
    $self->{value} = ($self->_root()->version() == 1 ? $self->value_u4() : $self->value_u8());
    return $self->{value};
}

sub value_u4 {
    my ($self) = @_;
    return $self->{value_u4};
}

sub value_u8 {
    my ($self) = @_;
    return $self->{value_u8};
}

########################################################################
package Gguf::StringElements;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{items} = [];
    my $n_items = $self->_parent()->num_elements()->as_int();
    for (my $i = 0; $i < $n_items; $i++) {
        push @{$self->{items}}, Gguf::GgufString->new($self->{_io}, $self, $self->{_root});
    }
}

sub items {
    my ($self) = @_;
    return $self->{items};
}

########################################################################
package Gguf::TensorInfo;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    my $_on = $self->_root()->is_be();
    if ($_on == 1) {
        $self->{_is_le} = 0;
    }
    elsif ($_on == 0) {
        $self->{_is_le} = 1;
    }
    if (!(defined $self->{_is_le})) {
        die "Unable to decide on endianness";
    } elsif ($self->{_is_le}) {
        $self->_read_le();
    } else {
        $self->_read_be();
    }
}

sub _read_le {
    my ($self) = @_;

    $self->{name} = Gguf::GgufString->new($self->{_io}, $self, $self->{_root});
    $self->{num_dims} = $self->{_io}->read_u4le();
    $self->{dims} = [];
    my $n_dims = $self->num_dims();
    for (my $i = 0; $i < $n_dims; $i++) {
        push @{$self->{dims}}, Gguf::Dim->new($self->{_io}, $self, $self->{_root});
    }
    $self->{type_id} = $self->{_io}->read_u4le();
    $self->{ofs_data} = $self->{_io}->read_u8le();
}

sub _read_be {
    my ($self) = @_;

    $self->{name} = Gguf::GgufString->new($self->{_io}, $self, $self->{_root});
    $self->{num_dims} = $self->{_io}->read_u4be();
    $self->{dims} = [];
    my $n_dims = $self->num_dims();
    for (my $i = 0; $i < $n_dims; $i++) {
        push @{$self->{dims}}, Gguf::Dim->new($self->{_io}, $self, $self->{_root});
    }
    $self->{type_id} = $self->{_io}->read_u4be();
    $self->{ofs_data} = $self->{_io}->read_u8be();
}

sub ggml_type {
    my ($self) = @_;
    return $self->{ggml_type} if ($self->{ggml_type});
    $self->{ggml_type} = $self->type_id();
    return $self->{ggml_type};
}

sub name {
    my ($self) = @_;
    return $self->{name};
}

sub num_dims {
    my ($self) = @_;
    return $self->{num_dims};
}

sub dims {
    my ($self) = @_;
    return $self->{dims};
}

sub type_id {
    my ($self) = @_;
    return $self->{type_id};
}

sub ofs_data {
    my ($self) = @_;
    return $self->{ofs_data};
}

########################################################################
package Gguf::ValueF4;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    my $_on = $self->_root()->is_be();
    if ($_on == 1) {
        $self->{_is_le} = 0;
    }
    elsif ($_on == 0) {
        $self->{_is_le} = 1;
    }
    if (!(defined $self->{_is_le})) {
        die "Unable to decide on endianness";
    } elsif ($self->{_is_le}) {
        $self->_read_le();
    } else {
        $self->_read_be();
    }
}

sub _read_le {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_f4le();
}

sub _read_be {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_f4be();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package Gguf::ValueF8;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    my $_on = $self->_root()->is_be();
    if ($_on == 1) {
        $self->{_is_le} = 0;
    }
    elsif ($_on == 0) {
        $self->{_is_le} = 1;
    }
    if (!(defined $self->{_is_le})) {
        die "Unable to decide on endianness";
    } elsif ($self->{_is_le}) {
        $self->_read_le();
    } else {
        $self->_read_be();
    }
}

sub _read_le {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_f8le();
}

sub _read_be {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_f8be();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package Gguf::ValueS1;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_s1();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package Gguf::ValueS2;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    my $_on = $self->_root()->is_be();
    if ($_on == 1) {
        $self->{_is_le} = 0;
    }
    elsif ($_on == 0) {
        $self->{_is_le} = 1;
    }
    if (!(defined $self->{_is_le})) {
        die "Unable to decide on endianness";
    } elsif ($self->{_is_le}) {
        $self->_read_le();
    } else {
        $self->_read_be();
    }
}

sub _read_le {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_s2le();
}

sub _read_be {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_s2be();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package Gguf::ValueS4;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    my $_on = $self->_root()->is_be();
    if ($_on == 1) {
        $self->{_is_le} = 0;
    }
    elsif ($_on == 0) {
        $self->{_is_le} = 1;
    }
    if (!(defined $self->{_is_le})) {
        die "Unable to decide on endianness";
    } elsif ($self->{_is_le}) {
        $self->_read_le();
    } else {
        $self->_read_be();
    }
}

sub _read_le {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_s4le();
}

sub _read_be {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_s4be();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package Gguf::ValueS8;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    my $_on = $self->_root()->is_be();
    if ($_on == 1) {
        $self->{_is_le} = 0;
    }
    elsif ($_on == 0) {
        $self->{_is_le} = 1;
    }
    if (!(defined $self->{_is_le})) {
        die "Unable to decide on endianness";
    } elsif ($self->{_is_le}) {
        $self->_read_le();
    } else {
        $self->_read_be();
    }
}

sub _read_le {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_s8le();
}

sub _read_be {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_s8be();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package Gguf::ValueU1;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_u1();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package Gguf::ValueU2;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    my $_on = $self->_root()->is_be();
    if ($_on == 1) {
        $self->{_is_le} = 0;
    }
    elsif ($_on == 0) {
        $self->{_is_le} = 1;
    }
    if (!(defined $self->{_is_le})) {
        die "Unable to decide on endianness";
    } elsif ($self->{_is_le}) {
        $self->_read_le();
    } else {
        $self->_read_be();
    }
}

sub _read_le {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_u2le();
}

sub _read_be {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_u2be();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package Gguf::ValueU4;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    my $_on = $self->_root()->is_be();
    if ($_on == 1) {
        $self->{_is_le} = 0;
    }
    elsif ($_on == 0) {
        $self->{_is_le} = 1;
    }
    if (!(defined $self->{_is_le})) {
        die "Unable to decide on endianness";
    } elsif ($self->{_is_le}) {
        $self->_read_le();
    } else {
        $self->_read_be();
    }
}

sub _read_le {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_u4le();
}

sub _read_be {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_u4be();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package Gguf::ValueU8;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    my $_on = $self->_root()->is_be();
    if ($_on == 1) {
        $self->{_is_le} = 0;
    }
    elsif ($_on == 0) {
        $self->{_is_le} = 1;
    }
    if (!(defined $self->{_is_le})) {
        die "Unable to decide on endianness";
    } elsif ($self->{_is_le}) {
        $self->_read_le();
    } else {
        $self->_read_be();
    }
}

sub _read_le {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_u8le();
}

sub _read_be {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_u8be();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

1;
