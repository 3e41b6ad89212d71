import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jsmpp.bean.*;
import org.jsmpp.extra.ProcessRequestException;
import org.jsmpp.session.*;
import org.jsmpp.util.MessageId;

/** An SMSC of jsmpp: takes every bind and submit, reports nothing by itself, and knows each message as delivered when asked. */
public final class JsmppSmsc {
    private static final AtomicInteger ids = new AtomicInteger();

    public static void main(String[] args) throws Exception {
        SMPPServerSessionListener listener = new SMPPServerSessionListener(Integer.parseInt(args[0]));
        Told.line("listening");
        while (true) {
            SMPPServerSession session = listener.accept();
            session.setMessageReceiverListener(new Receiver());
            new Thread(() -> serve(session)).start();
        }
    }

    private static void serve(SMPPServerSession session) {
        try {
            BindRequest bind = session.waitForBind(10_000);
            Told.line("bind", "type", bind.getBindType().name(), "systemId", bind.getSystemId(), "password", bind.getPassword(),
                "ton", bind.getAddrTon().name(), "npi", bind.getAddrNpi().name());
            bind.accept("jsmpp", InterfaceVersion.IF_34);
            if (bind.getBindType() != BindType.BIND_RX) return;
            session.deliverShortMessage("", TypeOfNumber.INTERNATIONAL, NumberingPlanIndicator.ISDN, "989121234567",
                TypeOfNumber.NETWORK_SPECIFIC, NumberingPlanIndicator.UNKNOWN, "3000", new ESMClass(), (byte) 0, (byte) 0,
                new RegisteredDelivery(0), new RawDataCoding((byte) 0), "from a phone".getBytes(StandardCharsets.US_ASCII));
            Told.line("delivered");
        } catch (Exception failure) {
            Told.line("failed", "words", String.valueOf(failure.getMessage()));
        }
    }

    private static final class Receiver implements ServerMessageReceiverListener {
        @Override
        public SubmitSmResult onAcceptSubmitSm(SubmitSm submit, SMPPServerSession session) throws ProcessRequestException {
            String tlvs = Arrays.stream(submit.getOptionalParameters())
                .map(one -> Told.tlv(one.tag, Arrays.copyOfRange(one.serialize(), 4, one.serialize().length)))
                .collect(Collectors.joining(" "));
            Told.line("submit", "source", submit.getSourceAddr(), "destination", submit.getDestAddress(),
                "registeredDelivery", String.valueOf(submit.getRegisteredDelivery()), "text", Told.hex(submit.getShortMessage()),
                "tlvs", tlvs);
            try {
                return new SubmitSmResult(new MessageId("j" + ids.incrementAndGet()), new OptionalParameter[0]);
            } catch (org.jsmpp.PDUStringException tooLong) {
                throw new ProcessRequestException("id", 8);
            }
        }

        @Override
        public QuerySmResult onAcceptQuerySm(QuerySm query, SMPPServerSession session) {
            Told.line("query", "id", query.getMessageId(), "source", query.getSourceAddr());
            return new QuerySmResult("260105120000000+", MessageState.DELIVERED, (byte) 0);
        }

        @Override
        public SubmitMultiResult onAcceptSubmitMulti(SubmitMulti multi, SMPPServerSession session) throws ProcessRequestException {
            throw new ProcessRequestException("not here", 3);
        }

        @Override
        public void onAcceptReplaceSm(ReplaceSm replace, SMPPServerSession session) {}

        @Override
        public void onAcceptCancelSm(CancelSm cancel, SMPPServerSession session) {}

        @Override
        public BroadcastSmResult onAcceptBroadcastSm(BroadcastSm broadcast, SMPPServerSession session) throws ProcessRequestException {
            throw new ProcessRequestException("not here", 3);
        }

        @Override
        public void onAcceptCancelBroadcastSm(CancelBroadcastSm cancel, SMPPServerSession session) {}

        @Override
        public QueryBroadcastSmResult onAcceptQueryBroadcastSm(QueryBroadcastSm query, SMPPServerSession session)
            throws ProcessRequestException {
            throw new ProcessRequestException("not here", 3);
        }

        @Override
        public DataSmResult onAcceptDataSm(DataSm data, Session session) throws ProcessRequestException {
            throw new ProcessRequestException("not here", 3);
        }
    }
}
